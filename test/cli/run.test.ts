import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { LIMIT_MS } from '../patience.fixture.js';
import { documentOf, ended, User } from './pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

type RunDocument = {
  readonly session: string | null;
  readonly exitCode: number;
  readonly signal?: string;
  readonly tracked: boolean;
  readonly changes: readonly {
    readonly path: string;
    readonly kind: string;
    readonly agent: string;
    readonly tool: string;
  }[];
};

describe('pal run', () => {
  test('[CAP14a] any command is a session: its output, its exit code, and what it changed', async () => {
    const workspace = user.workspace();
    const ran = await workspace.pal(
      'run',
      '--agent',
      'maker',
      '--',
      'sh',
      '-c',
      'echo out; echo err >&2; echo x > new.txt; sed -i s/two/2/ a.txt; exit 7',
    );
    expect(ran).toMatchObject({ exit: 7, stdout: 'out\n' });
    expect(ran.stderr).toMatch(/^err\npal: 2 changes:\n/);
    expect(ran.stderr).toMatch(/^ {2}M a\.txt \+1 −1 {2}c\d+\.\d$/m);
    expect(ran.stderr).toMatch(/^ {2}A new\.txt \+1 −0 {2}c\d+\.\d$/m);
    const { sessions } = await workspace.json<{
      sessions: { id: string; agent: string; state: string; pending: number }[];
    }>('session', 'list');
    expect(sessions).toMatchObject([{ agent: 'maker', state: 'ended', pending: 2 }]);
  });

  test('[CAP14c] with --json stdout holds the one document, and the output of the command goes to stderr', async () => {
    const workspace = user.workspace();
    const ran = await workspace.pal('run', '--json', '--', 'sh', '-c', 'echo out; rm a.txt');
    expect(ran).toMatchObject({ exit: 0, stderr: 'out\n' });
    const document = documentOf<RunDocument>(ran);
    expect(document).toMatchObject({
      exitCode: 0,
      tracked: true,
      changes: [{ path: 'a.txt', kind: 'delete', agent: 'run', tool: 'Bash' }],
    });
  });

  test('[CAP14a] what a command does just after the daemon was started is its own', async () => {
    const workspace = user.workspace();
    await workspace.pal('run', '--', 'sh', '-c', 'echo 1 > x.txt');
    for (const round of [1, 2, 3]) {
      await workspace.pal('stop');
      const ran = await workspace.pal('run', '--json', '--', 'sh', '-c', 'echo more >> x.txt; echo more >> a.txt');
      expect({
        round,
        paths: documentOf<RunDocument>(ran)
          .changes.map(({ path }) => path)
          .sort(),
      }).toEqual({ round, paths: ['a.txt', 'x.txt'] });
    }
  });

  test.runIf(process.platform === 'linux')(
    '[CAP14d] [CAP16c] what goes on in the background after its end may be its doing, until the session is said to be over',
    async () => {
      const workspace = user.workspace();
      const flag = `${workspace.root}.flag`;
      const script = `${workspace.root}.sh`;
      // In a script, so that nothing in the command's own text says that it leaves something running.
      writeFileSync(
        script,
        `(for n in $(seq 2000); do [ -e '${flag}' ] && break; sleep 0.05; done; echo late >> a.txt; echo done > '${flag}') >/dev/null 2>&1 &\n`,
      );
      const ran = await workspace.pal('run', '--', 'sh', script);
      expect(ran.stderr).toMatch(
        /pal: nothing changed\npal: something that it started still runs; .*\n {2}→ `pal session end run-/,
      );
      const { sessions } = await workspace.json<{ sessions: { id: string; state: string }[] }>('session', 'list');
      expect(sessions).toMatchObject([{ state: 'active' }]);
      writeFileSync(flag, '');
      type Listed = { changes: { status: string; author: { kind: string }; candidates?: { session: string }[] }[] };
      const listed = () => workspace.json<Listed>('changes', '--status', 'all');
      await expect.poll(async () => (await listed()).changes, { timeout: LIMIT_MS }).toHaveLength(1);
      const [session] = sessions;
      expect((await listed()).changes).toMatchObject([
        { status: 'pending', author: { kind: 'unknown' }, candidates: [{ session: session!.id }] },
      ]);
      await expect.poll(() => readFileSync(flag, 'utf8'), { timeout: LIMIT_MS }).toBe('done\n');
      expect((await workspace.pal('session', 'end', session!.id)).exit).toBe(0);
      writeFileSync(join(workspace.root, 'mine.txt'), 'mine\n');
      await expect.poll(async () => (await listed()).changes, { timeout: LIMIT_MS }).toHaveLength(2);
      expect((await listed()).changes[1]).toMatchObject({ status: 'accepted', author: { kind: 'human' } });
    },
  );

  test('[CAP14b] the words after -- are the command’s own', async () => {
    const workspace = user.workspace();
    const ran = await workspace.pal('run', '--', 'printf', '%s|', '--json', '-C', 'a b', '--', '$HOME');
    expect(ran).toMatchObject({ exit: 0, stdout: '--json|-C|a b|--|$HOME|' });
    expect((await workspace.pal('run')).exit).toBe(2);
  });

  test('[CAP14b] standard input and the environment reach the command', async () => {
    const workspace = user.workspace();
    const ran = await workspace.say(['run', '--', 'sh', '-c', 'cat; echo "$COLOUR"'], 'from stdin\n', {
      env: { COLOUR: 'blue' },
    });
    expect(ran.stdout).toBe('from stdin\nblue\n');
  });

  test('[CAP14b] standard input that comes late is waited for by the command', async () => {
    const workspace = user.workspace();
    const child = user.start(['run', '--', 'cat'], { cwd: workspace.root });
    const gone = ended(child);
    await new Promise((resolve) => setTimeout(resolve, 600));
    child.stdin!.end('late\n');
    expect(await gone).toMatchObject({ exit: 0, stdout: 'late\n' });
  });

  test('[CAP14a] a command that is not there is 127', async () => {
    const ran = await user.workspace().pal('run', '--', 'no-such-command-at-all');
    expect(ran).toMatchObject({
      exit: 127,
      stderr: expect.stringContaining('no-such-command-at-all could not be started (ENOENT)'),
    });
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('[CAP14b] %s is passed on, and the session ends all the same', async (signal, exit) => {
    const workspace = user.workspace();
    const child = user.start(['run', '--', 'sh', '-c', 'echo started > s.txt; echo ready; exec sleep 60'], {
      cwd: workspace.root,
    });
    const gone = ended(child);
    await new Promise((resolve) => child.stdout!.once('data', resolve));
    child.kill(signal);
    const ran = await gone;
    expect(ran.exit).toBe(exit);
    expect(ran.stderr).toContain(`sh was ended by ${signal}`);
    expect(ran.stderr).toContain('A s.txt');
    expect(await workspace.json('session', 'list')).toMatchObject({ sessions: [{ state: 'ended', pending: 1 }] });
  });

  test('[CAP14a] a command that dies of a signal of its own is recorded too', async () => {
    const workspace = user.workspace();
    const ran = await workspace.pal('run', '--json', '--', 'sh', '-c', 'echo x > x.txt; kill -9 $$');
    expect(ran.exit).toBe(137);
    expect(documentOf<RunDocument>(ran)).toMatchObject({
      exitCode: 137,
      signal: 'SIGKILL',
      changes: [{ path: 'x.txt' }],
    });
    expect(await workspace.json('session', 'list')).toMatchObject({ sessions: [{ state: 'ended' }] });
  });

  test('[AGT3a] with no daemon to be had the command runs, and it is said', async () => {
    const workspace = user.workspace();
    const file = join(user.folder, 'a-file');
    writeFileSync(file, '');
    const env = { PALIMPSEST_HOME: join(file, 'data') };
    const text = await user.pal(['run', '--', 'sh', '-c', 'echo out; exit 4'], { cwd: workspace.root, env });
    expect(text).toMatchObject({
      exit: 4,
      stdout: 'out\n',
      stderr: expect.stringContaining('the command ran untracked'),
    });
    expect(text.stderr).toContain(`the data directory ${env.PALIMPSEST_HOME} cannot be used`);
    const json = await user.pal(['run', '--json', '--', 'true'], { cwd: workspace.root, env });
    expect(json.exit).toBe(0);
    expect(documentOf<RunDocument>(json)).toMatchObject({
      tracked: false,
      session: null,
      exitCode: 0,
      changes: [],
      error: { code: expect.any(String) },
    });
  });

  test('[AGT3a] a daemon that does not come holds the command up only so long', async () => {
    const data = join(user.folder, 'broken');
    mkdirSync(join(data, 'workspace.lock'), { recursive: true, mode: 0o700 });
    const ran = await user.pal(['run', '--', 'echo', 'out'], {
      cwd: user.workspace().root,
      env: { PALIMPSEST_HOME: data, PAL_PATIENCE_MS: '1000' },
    });
    expect(ran).toMatchObject({ exit: 0, stdout: 'out\n' });
    expect(ran.stderr).toMatch(/the daemon did not start(.|\n)*the command ran untracked/);
  });
});

describe('two terminals at once', () => {
  test('[SRV1c] one sees in its log what the other does, as it happens', async () => {
    const workspace = user.workspace();
    await workspace.pal('session', 'start', '--id', 'before');
    const watcher = user.start(['log', '--follow', '--json'], { cwd: workspace.root });
    const lines: { seq: number; kind: string; session?: string }[] = [];
    let rest = '';
    let seen: (() => void) | null = null;
    watcher.stdout!.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop()!;
      lines.push(...parts.map((line) => JSON.parse(line)));
      seen?.();
    });
    const until = (done: () => boolean) =>
      new Promise<void>((resolve) => {
        seen = () => done() && resolve();
        seen();
      });
    await until(() => lines.some(({ session }) => session === 'before'));
    await Promise.all([
      workspace.call('one', 'c', 'Write', { file_path: 'one.txt', content: '1\n' }, () =>
        workspace.write('one.txt', '1\n'),
      ),
      workspace.call('two', 'c', 'Write', { file_path: 'two.txt', content: '2\n' }, () =>
        workspace.write('two.txt', '2\n'),
      ),
    ]);
    await until(() => lines.filter(({ kind }) => kind === 'call-ended').length === 2);
    watcher.kill('SIGTERM');
    const seqs = lines.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    expect(new Set(seqs).size).toBe(seqs.length);
    const { changes } = await workspace.json<{ changes: { path: string; session: string }[] }>('changes');
    expect(changes.map(({ path, session }) => `${session} ${path}`).sort()).toEqual(['one one.txt', 'two two.txt']);
  });

  test('[SRV5c] a hundred calls in parallel, from no daemon at all: each is answered and recorded once', async () => {
    const alone = new User();
    try {
      const workspace = alone.workspace();
      const calls = Array.from({ length: 50 }, (_, at) => at);
      const work = calls.map(async (at) => {
        const path = `f${at}.txt`;
        const ran = await workspace.call(`s${at % 5}`, `c${at}`, 'Write', { file_path: path, content: `${at}\n` }, () =>
          workspace.put(path, `${at}\n`),
        );
        expect(ran).toMatchObject({ exit: 0, stderr: '' });
      });
      await Promise.all(work);
      const { changes } = await workspace.json<{ changes: { path: string; callId: string | null }[] }>(
        'changes',
        '--status',
        'all',
      );
      expect(changes.map(({ path, callId }) => `${callId} ${path}`).sort()).toEqual(
        calls.map((at) => `c${at} f${at}.txt`).sort(),
      );
    } finally {
      alone.leave();
    }
  });
});

describe('the daemon', () => {
  test('[SRV5d] serve says where it listens and ends with Ctrl-C; stop stops it, and twice is harmless', async () => {
    const alone = new User();
    try {
      mkdirSync(alone.data, { mode: 0o700 });
      const serving = alone.start(['serve', '--json']);
      const gone = ended(serving);
      const line = await new Promise<string>((resolve) =>
        serving.stdout!.once('data', (text) => resolve(String(text))),
      );
      expect(JSON.parse(line)).toMatchObject({ daemon: { pid: serving.pid, port: expect.any(Number) } });
      const workspace = alone.workspace();
      expect(await workspace.json('status')).toMatchObject({ daemon: { pid: serving.pid } });
      const second = await alone.pal(['serve', '--json']);
      expect(second.exit).toBe(1);
      expect(documentOf(second)).toMatchObject({ error: { code: 'already-running' } });
      serving.kill('SIGINT');
      expect((await gone).exit).toBe(0);
      expect(await workspace.json('stop')).toEqual({ stopped: false });
      await workspace.pal('status');
      expect(await workspace.json('stop')).toMatchObject({ stopped: true });
      expect((await workspace.pal('stop')).stdout).toBe('the daemon is not running\n');
    } finally {
      alone.leave();
    }
  });
});
