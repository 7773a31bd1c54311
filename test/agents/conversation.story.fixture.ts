import { expect, test } from 'vitest';
import type { Ran } from '../cli/pal.fixture.js';
import type { Seat } from './seat.fixture.js';

type Checkpoint = { readonly id: string; readonly reason: string; readonly session?: string; readonly callId?: string };

const FIRST = 'First: change a line.';
const SECOND = 'Second: change another line.';
/** Each of them is said once in the two turns, in this order. */
const SAID = [
  FIRST,
  'I look at it.',
  'uno',
  'First part done.',
  SECOND,
  'On it.',
  'zwei',
  'Second part done.',
] as const;

/** Two turns with calls, in a file of its own; the session they are in. */
async function twoTurns(seat: Seat, file: string): Promise<{ readonly session: string; readonly asked: string }> {
  const { read, edit } = seat.driver.tools(seat);
  seat.workspace.write(file, 'one\ntwo\n');
  await seat.run(FIRST, [
    { text: 'I look at it.', calls: [read(file)] },
    { calls: [edit(file, 'one', 'uno')] },
    { text: 'First part done.' },
  ]);
  await seat.run(
    SECOND,
    [{ text: 'On it.', calls: [read(file)] }, { calls: [edit(file, 'two', 'zwei')] }, { text: 'Second part done.' }],
    {
      resume: true,
    },
  );
  const asked = seat.model.turns[0]!;
  const change = (await seat.changes('--status', 'all', '--path', file)).at(-1);
  return { session: change!.session!, asked };
}

async function checkpoint(seat: Seat, session: string, reason: string, nth: number): Promise<Checkpoint> {
  const { checkpoints } = await seat.workspace.json<{ checkpoints: readonly Checkpoint[] }>(
    'checkpoint',
    'list',
    '--session',
    session,
  );
  return checkpoints.filter((one) => one.reason === reason).at(nth)!;
}

/** As somebody does whose shell finds the agent. */
async function restore(
  seat: Seat,
  id: string,
): Promise<{ readonly fork: { readonly session: string; readonly resume: string } }> {
  const ran = await refusal(seat, id, '--json');
  if (ran.exit !== 0) throw new Error(ran.stdout + ran.stderr);
  return JSON.parse(ran.stdout) as Awaited<ReturnType<typeof restore>>;
}

function refusal(seat: Seat, id: string, ...words: readonly string[]): Promise<Ran> {
  const { root } = seat.workspace;
  return seat.user.pal(['checkpoint', 'restore', id, '--mode', 'both', ...words], { cwd: root, env: seat.environment });
}

/** How often each of the things was told to the model, whatever the wire. */
function told(request: string): readonly number[] {
  const { messages, input, contents } = JSON.parse(request) as Record<string, unknown>;
  const text = JSON.stringify([messages, input, contents]);
  return SAID.map((said) => text.split(said).length - 1);
}

type Shown = {
  readonly changes: readonly { readonly id: string; readonly callId?: string; readonly path: string }[];
  readonly timeline: readonly {
    readonly kind: string;
    readonly text?: string;
    readonly call?: string;
    readonly message?: number;
  }[];
};
type Blamed = { readonly lines: readonly { readonly text: string; readonly author: Asked }[] };
type Asked = { readonly prompt?: string; readonly callId?: string; readonly message?: number };
type Messages = { readonly messages: readonly { readonly id: number; readonly calls: readonly string[] }[] };

export function joinedStories(at: () => Seat): void {
  test('[TRA3b] a session is shown with prompt, answer, call and change, and a line names its prompt and message', async () => {
    const seat = at();
    const { read, edit } = seat.driver.tools(seat);
    seat.workspace.write('joined.txt', 'one\ntwo\n');
    await seat.run('Change the first of them.', [
      { text: 'Looking.', calls: [read('joined.txt')] },
      { text: 'Changing.', calls: [edit('joined.txt', 'one', 'uno')] },
      { text: 'Changed as asked.' },
    ]);
    const change = (await seat.changes('--status', 'all', '--path', 'joined.txt')).at(-1)!;
    const shown = await seat.workspace.json<Shown>('session', 'show', change.session!);
    const said = shown.timeline.flatMap(({ kind, text, call }) =>
      kind === 'prompt' || kind === 'message' ? [text!.trim()] : call === change.callId ? ['the edit'] : [],
    );
    const told = ['Change the first of them.', 'Looking.', 'Changing.', 'the edit', 'Changed as asked.'];
    expect(said.filter((one) => told.includes(one))).toEqual(told);
    expect(shown.changes.map(({ id }) => id)).toContain(change.id);
    const { lines } = await seat.workspace.json<Blamed>('blame', 'joined.txt');
    const { author } = lines.find(({ text }) => text === 'uno')!;
    expect(author).toMatchObject({ prompt: 'Change the first of them.', callId: change.callId });
    const { messages } = await seat.workspace.json<Messages>('session', 'messages', change.session!);
    expect(messages.find(({ id }) => id === author.message)?.calls).toContain(change.callId);
    expect(shown.timeline.find(({ call }) => call === change.callId)?.message).toBe(author.message);
  });
}

/** For agents whose conversations can be forked. */
export function forkStories(at: () => Seat): void {
  test('[TRA4a] both go back to before a prompt: the agent goes on in a fork, and the old conversation stays', async () => {
    const seat = at();
    const { session, asked } = await twoTurns(seat, 'forked.txt');
    expect(seat.workspace.read('forked.txt')).toBe('uno\nzwei\n');
    const moment = await checkpoint(seat, session, 'prompt', -1);
    const restored = await restore(seat, moment.id);
    expect(seat.workspace.read('forked.txt')).toBe('uno\ntwo\n');
    const { fork } = restored;
    expect(fork.session).not.toBe(session);
    expect(fork.resume).toContain(fork.session);
    // The same prompt again: what the model gets is what it got then, and nothing of what came after.
    const ran = await seat.run(SECOND, [{ text: 'Another way.' }], { resume: fork.session });
    expect([ran.exit, seat.model.left]).toEqual([0, 0]);
    const again = told(seat.model.turns[0]!);
    expect(again).toEqual(told(asked));
    expect(again.slice(5)).toEqual([0, 0, 0]);
    expect(again.slice(0, 5).every((times) => times > 0)).toBe(true);
    // The old one can be taken up as if nothing had happened, and the files with it.
    const undone = await seat.workspace.pal('undo');
    expect([undone.exit, seat.workspace.read('forked.txt')]).toEqual([0, 'uno\nzwei\n']);
    await seat.run('Where were we?', [{ text: 'At the end.' }], { resume: session });
    expect(told(seat.model.turns[0]!).every((times) => times > 0)).toBe(true);
  });

  test('[TRA4b] where it cannot follow, nothing is touched', async () => {
    const seat = at();
    const { session } = await twoTurns(seat, 'first.txt');
    const first = await checkpoint(seat, session, 'prompt', 0);
    const refused = await refusal(seat, first.id);
    expect(refused.exit).not.toBe(0);
    expect(refused.stderr).toContain('nothing was said before that');
    expect(seat.workspace.read('first.txt')).toBe('uno\nzwei\n');
  });
}

/** In the middle of a turn. */
export function midTurnStories(at: () => Seat): void {
  test('[TRA4c] Claude Code goes on from the middle of a turn, after a call or before it', async () => {
    const seat = at();
    const { session } = await twoTurns(seat, 'middle.txt');
    for (const [reason, uno] of [
      ['after-tool', true],
      ['before-tool', false],
    ] as const) {
      const moment = await checkpoint(seat, session, reason, 0);
      const { fork } = await restore(seat, moment.id);
      expect(seat.workspace.read('middle.txt')).toBe(uno ? 'uno\ntwo\n' : 'one\ntwo\n');
      await seat.run('Go on.', [{ text: 'Gone on.' }], { resume: fork.session });
      const counts = told(seat.model.turns[0]!).map((times) => times > 0);
      expect(counts).toEqual([true, true, uno, false, false, false, false, false]);
      await seat.workspace.pal('undo');
    }
  });
}

/** For those that keep to turns. */
export function turnsOnlyStories(at: () => Seat): void {
  test('[TRA4b] the middle of a turn is refused before anything is touched', async () => {
    const seat = at();
    const { session } = await twoTurns(seat, 'turns.txt');
    const moment = await checkpoint(seat, session, 'after-tool', 0);
    const refused = await refusal(seat, moment.id);
    expect([refused.exit === 0, seat.workspace.read('turns.txt')]).toEqual([false, 'uno\nzwei\n']);
    expect(refused.stderr).toContain('can go back to the end of a turn only');
  });
}

/** For an agent that takes up no session from outside. */
export function noForkStories(at: () => Seat): void {
  test('[TRA4b] the plan says that the conversation cannot follow, and nothing is touched', async () => {
    const seat = at();
    const { read, edit } = seat.driver.tools(seat);
    seat.workspace.write('stays.txt', 'one\n');
    await seat.run('Change the line in it.', [
      { calls: [read('stays.txt')] },
      { calls: [edit('stays.txt', 'one', 'uno')] },
      { text: 'done' },
    ]);
    const change = (await seat.changes('--status', 'all', '--path', 'stays.txt')).at(-1);
    const moment = await checkpoint(seat, change!.session!, 'prompt', 0);
    for (const words of [['--dry-run'], []]) {
      const refused = await refusal(seat, moment.id, ...words);
      expect([refused.exit === 0, seat.workspace.read('stays.txt')]).toEqual([false, 'uno\n']);
      expect(refused.stderr).toContain('takes up no conversation from outside');
    }
  });
}
