import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { User, type Workspace } from './pal.fixture.js';
import { tracesOf } from './traces.fixture.js';

/** Two halves, each without a character that any encoding would change, around some that most do. */
const HALVES = ['zebra-7f3a91c4', 'quokka-55e0c2d8'] as const;
const SECRET = `${HALVES[0]}"\\é${HALVES[1]}`;
const LINE = `API_KEY='${SECRET}'`;

let user: User;
let workspace: Workspace;
beforeEach(() => {
  user = new User();
  workspace = user.workspace({ 'a.txt': 'one\ntwo\nthree\n' });
});
afterEach(() => user.leave());

const write = (call: string, path: string, content: string) =>
  workspace.call('S', call, 'Write', { file_path: path, content }, () => workspace.write(path, content));
const edit = (call: string, path: string, old: string, next: string) =>
  workspace.call('S', call, 'Edit', { file_path: path, old_string: old, new_string: next }, () =>
    workspace.write(
      path,
      workspace.read(path).replace(old, () => next),
    ),
  );
const done = async (...args: string[]) => {
  const ran = await workspace.pal(...args);
  expect(ran.exit, `pal ${args.join(' ')}: ${ran.stderr}`).toBe(0);
  return ran.stdout;
};
const said = async (args: readonly string[], what: unknown) => {
  const ran = await workspace.say(args, what);
  expect(ran.exit, `pal ${args.join(' ')}: ${ran.stderr}`).toBe(0);
  return ran.stdout;
};
const traces = async () => {
  await done('stop');
  return tracesOf(user.data, HALVES);
};

/** The agent writes a secret by every tool, people talk about it, it is rejected, restored, renamed and undone. */
async function spill(): Promise<void> {
  await done('session', 'start', '--id', 'S', '--agent', 'claude', '--title', `put ${SECRET} into the settings`);
  await said(['note'], { session: 'S', kind: 'prompt', text: `The key is ${SECRET}, write it to .env` });
  await write('c1', '.env', `HOST=localhost\n${LINE}\n`);
  await done('checkpoint', 'save', '-m', `with ${LINE}`);
  await said(['note'], { session: 'S', kind: 'read', path: '.env' });
  await edit('c2', '.env', LINE, `${LINE} # for the tests`);
  const command = `printf '%s\\n' ${JSON.stringify(SECRET)} >> .env`;
  await workspace.call('S', 'c3', 'Bash', { command }, () =>
    workspace.write('.env', `${workspace.read('.env')}${SECRET}\n`),
  );
  // A command that only talks of it, and one whose input is too long to stand in the log.
  await workspace.call('S', 'c4', 'Bash', { command: `curl -H ${JSON.stringify(SECRET)} localhost` }, () => undefined);
  await workspace.call('S', 'c5', 'Bash', { command: `echo ${SECRET} | ${'x'.repeat(20_000)}` }, () => undefined);
  await workspace.call('S', 'c6', 'Bash', { command: 'mv .env .env.old' }, () => {
    workspace.put('.env.old', workspace.read('.env'));
    rmSync(join(workspace.root, '.env'));
  });
  const { changes } = await workspace.json<{ changes: { id: string }[] }>('changes', '--call', 'c3');
  await done('reject', changes[0]!.id, '--comment', `never write ${SECRET}`);
  await done('undo');
  await done('reject', '--all', '--comment', `I said: ${SECRET}`);
  await done('session', 'rename', 'S', `was ${SECRET}`);
  const { checkpoints } = await workspace.json<{ checkpoints: { id: string; message: string | null }[] }>(
    'checkpoint',
    'list',
  );
  const named = checkpoints.find(({ message }) => message?.includes(LINE));
  await done('checkpoint', 'restore', named!.id);
  await done('undo');
}

describe('pal forget', () => {
  test('[SEC6a] the agent wrote a secret, it was rejected, then forgotten: no trace is left in our data', async () => {
    await spill();
    expect((await traces()).length).toBeGreaterThan(0);
    const plan = await workspace.json<{ contents: string[]; calls: number; texts: number }>(
      'forget',
      '.env',
      '--dry-run',
    );
    expect(plan.contents.length).toBeGreaterThanOrEqual(3);
    expect(plan.texts).toBeGreaterThanOrEqual(6);
    expect((await traces()).length).toBeGreaterThan(0);
    expect(await done('forget', '.env')).toContain('forgotten');
    expect(await traces()).toEqual([]);
    // What happened stays on record.
    const { sessions } = await workspace.json<{ sessions: { id: string; title: string }[] }>('session', 'list');
    expect(sessions.map(({ title }) => title)).toEqual(['was [forgotten]']);
    expect((await workspace.json<{ changes: unknown[] }>('changes', '--status', 'all')).changes).toHaveLength(4);
    expect(await done('checkpoint', 'list')).toContain('with [forgotten]');
    // Only bytes are missing from the store: every checkpoint that is left can be listed and read by plain git.
    expect(workspace.git('--git-dir', storeOf(user), 'log', '--all', '--format=%s')).toContain('with [forgotten]');
    expect(await traces()).toEqual([]);
  });

  test('[SEC6d] a text is forgotten wherever it stands, and it is said which files still hold it', async () => {
    await spill();
    await write('d1', 'config.json', JSON.stringify({ key: SECRET, port: 1 }));
    await write('d2', 'encoded.txt', `${Buffer.from(`user:${SECRET}`).toString('base64')}\n`);
    await write('d3', 'kept.txt', 'nothing secret\n');
    const ran = await workspace.say(['forget', '--text', '-'], `${SECRET}\n`);
    expect(ran.exit, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('config.json');
    expect(ran.stdout).toContain('encoded.txt');
    expect(await traces()).toEqual([]);
    expect(workspace.read('config.json')).toContain(HALVES[0]);
    await done('status');
    expect(await traces()).toEqual([]);
    const { changes } = await workspace.json<{ changes: { id: string; path: string }[] }>('changes');
    expect(changes.map(({ path }) => path)).toEqual(['config.json', 'encoded.txt', 'kept.txt']);
    expect(await done('show', changes[2]!.id)).toContain('nothing secret');
    // They are on disk as before.
    expect(await done('diff')).not.toMatch(/^D /m);
  });
});

function storeOf({ data }: User): string {
  const [id] = readdirSync(join(data, 'workspaces'));
  return join(data, 'workspaces', id!, 'content.git');
}

test('[INT3b] a change whose bytes are forgotten can still be told of', async () => {
  await write('c1', '.env', `${LINE}\n`);
  const { changes } = await workspace.json<{ changes: { id: string }[] }>('changes');
  await done('reject', '--all');
  await done('forget', '.env');
  const shown = await done('show', changes[0]!.id);
  expect(shown).toMatch(/^c\d+\.1 create \.env \+1 −0 rejected\n/);
  expect(shown).toContain('note    what it wrote is not kept any more');
});
