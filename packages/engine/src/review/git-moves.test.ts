import { expect, test } from 'vitest';
import { given, lines, type ReviewStage, reviewing } from './review.fixture.js';

const BASE = lines('abcdefghij');
const EDITED = lines('abXdefghijY');

/** `human` or the session, for each line. */
async function blamed(at: ReviewStage, path = 'f'): Promise<string> {
  const found = given(await at.workspace.blame(path));
  return found.map(({ author }) => (author.kind === 'agent' ? author.session : '.')).join('');
}

async function edited(): Promise<{ readonly at: ReviewStage; readonly id: string }> {
  const at = await reviewing({ f: BASE, other: 'o\n' }, { kind: 'git' });
  return { at, id: await at.writes('S', 'f', EDITED) };
}

/** Each step of git is looked at, as a watcher would. */
async function git(at: ReviewStage, ...commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    at.on.git(...command.split(' '));
    await at.workspace.look();
  }
}

const MOVES: readonly (readonly [string, readonly string[]])[] = [
  ['a stash and its return', ['stash -q', 'stash pop -q']],
  ['a stash, twice', ['stash -q', 'stash pop -q', 'stash -q', 'stash pop -q']],
];

for (const [what, commands] of MOVES) {
  test(`[REV11c] [REV11d] after ${what} the agent's lines are the agent's, pending, and can be rejected`, async () => {
    const { at, id } = await edited();
    await git(at, ...commands);
    expect(at.text('f')).toBe(EDITED);
    expect(await blamed(at)).toBe('..S.......S');
    expect(await at.statuses()).toBe('pending');
    const done = await at.rejects({ changes: [id] });
    expect(done.conflicts).toEqual([]);
    expect(at.text('f')).toBe(BASE);
  });
}

test('[REV11d] while they are stashed, rejecting them is no conflict, and what comes back is still theirs', async () => {
  const { at, id } = await edited();
  await git(at, 'stash -q');
  const done = await at.rejects({ changes: [id] });
  expect([done.rejected, done.conflicts]).toEqual([[id], []]);
  expect(at.text('f')).toBe(BASE);
  await git(at, 'stash pop -q');
  expect(await blamed(at)).toBe('..S.......S');
});

test('[REV11d] people may write on top of what came back, and it is taken out around them', async () => {
  const { at, id } = await edited();
  await git(at, 'stash -q', 'stash pop -q');
  await at.human('f', EDITED.replace('f\n', 'f\nh\n'));
  expect(await blamed(at)).toBe('..S........S');
  await at.rejects({ changes: [id] });
  expect(at.text('f')).toBe(BASE.replace('f\n', 'f\nh\n'));
});

const COMMITTED: readonly (readonly [string, readonly string[]])[] = [
  ['checking out another branch and this one again', ['checkout -q -b side HEAD~1', 'checkout -q main']],
  ['amending', ['commit -q --amend -m again']],
  ['a hard reset away and back', ['reset -q --hard HEAD~1', 'reset -q --hard ORIG_HEAD']],
];

for (const [what, commands] of COMMITTED) {
  test(`[REV11c] after ${what} blame names the agent for its lines`, async () => {
    const { at } = await edited();
    await git(at, 'commit -q -a -m agent', ...commands);
    expect(at.text('f')).toBe(EDITED);
    expect(await blamed(at)).toBe('..S.......S');
  });
}

test('[REV11c] a rebase onto another base, seen half-way, keeps who wrote what', async () => {
  const { at } = await edited();
  await git(at, 'commit -q -a -m agent', 'checkout -q -b base HEAD~1');
  await at.human('f', BASE.replace('g\n', 'g\nh1\n'));
  await git(at, 'commit -q -a -m other', 'cherry-pick main');
  expect(at.text('f')).toBe(EDITED.replace('g\n', 'g\nh1\n'));
  expect(await blamed(at)).toBe('..S........S');
});

test('[REV11c] a restore away and its undoing bring the agent back as the author', async () => {
  const { at } = await edited();
  const [start] = await at.workspace.checkpoints({});
  given(await at.workspace.restore(start!.id, {}));
  expect(at.text('f')).toBe(BASE);
  await at.undoes();
  expect(at.text('f')).toBe(EDITED);
  expect(await blamed(at)).toBe('..S.......S');
  expect(await at.statuses()).toBe('pending');
});

test('[REV11c] who brought text of people back by git did not write it', async () => {
  const at = await reviewing({ f: BASE, other: 'o\n' }, { kind: 'git' });
  await at.human('f', BASE.replace('c\n', 'c\nmine\n'));
  await at.shell('S', 'git stash -q');
  await at.shell('S', 'git stash pop -q');
  expect(await blamed(at)).toBe('...........');
  await at.rejects({ all: true });
  expect(at.text('f')).toBe(BASE.replace('c\n', 'c\nmine\n'));
});

for (const session of ['S', 'git']) {
  test(`[REV11c] a command of ${session}'s that turns the ends of lines wrote none of them`, async () => {
    const at = await reviewing({ f: BASE, other: 'o\n' }, { kind: 'git' });
    await at.human('f', BASE.replace('c\n', 'c\nmine\n'));
    await at.writes('T', 'f', BASE.replace('c\n', 'c\nmine\nx\n'));
    await git(at, 'commit -q -a -m both', 'config core.autocrlf true');
    await at.human('f', `${at.text('f')}more\n`);
    await at.shell('S', session === 'git' ? 'git stash -q' : "sed -i 's/$/\\r/' f");
    expect(at.text('f')).toContain('mine\r\n');
    expect((await blamed(at)).slice(0, 12)).toBe('....T.......');
  });
}

test('[REV11c] a session that turns the ends of lines that it wrote before wrote them then', async () => {
  const at = await reviewing({ f: BASE }, { kind: 'git' });
  const first = await at.writes('S', 'f', BASE.replace('c\n', 'c\nmine\n'));
  await at.shell('S', "sed -i 's/$/\\r/' f");
  const mine = given(await at.workspace.blame('f')).find(({ text }) => text.startsWith('mine'));
  expect(mine).toMatchObject({ text: 'mine', change: first });
});
