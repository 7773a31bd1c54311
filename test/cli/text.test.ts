import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { documentOf, ended, PAL, User } from './pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

const NASTY = [
  'with space.txt',
  "quo'te.txt",
  'a -> b.txt',
  '-dash.txt',
  'é.txt',
  'e\u0301.txt',
  '日本.txt',
  'tab\there.txt',
  'esc\u001b[31mred.txt',
  'title\u001b]0;owned\u0007.txt',
  'line\nbreak.txt',
  'rtl\u202etxt.exe',
];

/** The bytes of escape sequences, other controls and direction marks; line ends and tabs are layout. */
const OBEYED = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** By the files that there are. */
function catalogueNames(): string[] {
  const folder = new URL('../../apps/pal/src/commands/', import.meta.url);
  return readdirSync(folder).map((name) => name.replace(/\.ts$/, ''));
}

describe('text for people', () => {
  test('[INT3a] at 80 columns no line is wider, remarks and dry runs included', async () => {
    const workspace = user.workspace();
    const wide = { cwd: workspace.root, env: { PAL_TERMINAL: '80', NO_COLOR: '1' } };
    const { agents } = await workspace.json<{ agents: object[] }>('init', '--agent', 'claude', 'codex', '--dry-run');
    expect(agents).toHaveLength(2);
    await workspace.call('S', 'c1', 'Write', { file_path: 'b.txt', content: 'b\n' }, () =>
      workspace.write('b.txt', 'b\n'),
    );
    const lines: string[] = [];
    for (const words of [
      ['init', '--agent', 'claude', 'codex', '--dry-run'],
      ['init', '--agent', 'claude', 'codex'],
      ['forget', 'b.txt', '--dry-run'],
      ['accept', '--all'],
      ['accept', 'c99.1'],
      ['settings', 'no.such', 'value'],
      ['doctor'],
      ['uninstall', '--dry-run'],
    ])
      lines.push(
        ...Object.values(await user.pal(words, wide))
          .join('\n')
          .split('\n'),
      );
    // A word, such as a path, stays whole.
    expect(lines.filter((line) => line.length > 80 && /\S +\S/.test(line.trim()))).toEqual([]);
    expect(lines.length).toBeGreaterThan(100);
  });

  test('[SEC4g] names, ids, titles and diffs full of escapes print harmlessly, and exactly in JSON', async () => {
    const workspace = user.workspace();
    const session = 's\u001b[2J';
    const text = 'plain\n\u001b]52;c;b3duZWQ=\u0007\u009b31mred\n';
    await workspace.pal('session', 'start', '--id', session, '--agent', 'a\u001b[1m', '--title', 't\u0007');
    const ended = await workspace.call(session, 'c\u001b[8m', 'Bash', { command: 'make' }, () => {
      for (const name of NASTY) workspace.write(name, text);
    });
    const { changes } = documentOf<{ changes: { id: string; path: string }[] }>(ended);
    expect(changes.map(({ path }) => path).sort()).toEqual([...NASTY].sort());
    const commands = [
      ['status'],
      ['changes'],
      ['log'],
      ['stale'],
      ['session', 'list'],
      ['session', 'show', session],
      ['show', ...changes.map(({ id }) => id)],
    ];
    for (const command of commands) {
      const shown = await workspace.pal(...command);
      expect(shown).toMatchObject({ exit: 0, stderr: '' });
      expect(shown.stdout).not.toMatch(OBEYED);
      const json = await workspace.pal(...command, '--json');
      expect(json.stdout).not.toMatch(OBEYED);
      documentOf(json);
    }
    expect((await workspace.pal('changes')).stdout).toContain('esc␛[31mred.txt');
    const missing = await workspace.pal('session', 'show', 'no\u001b[31mbody');
    expect(missing.exit).toBe(4);
    expect(missing.stderr).not.toMatch(OBEYED);
  });

  test('[INT3i] the overview is the one that all commands together give', async () => {
    const [overview, version] = [await user.pal(['--help']), await user.pal(['--version'])];
    const index = fileURLToPath(new URL('../../apps/pal/bundle/help-index.json', import.meta.url));
    const listed = (JSON.parse(readFileSync(index, 'utf8')) as { name: string }[]).map(({ name }) => name);
    expect(listed.sort()).toEqual(catalogueNames().sort());
    for (const name of listed) expect(overview.stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    expect(overview.stdout).toMatch(/^ {2}show \[change\.\.\.\] +show changes as diffs/m);
    expect(version).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test('[INT3d] `pal`, `pal help` and --help explain the whole, a group and a command', async () => {
    const top = await user.pal(['help']);
    expect(top).toMatchObject({ exit: 0, stderr: '' });
    expect((await user.pal([])).stdout).toBe(top.stdout);
    const group = await user.pal(['session', '--help']);
    expect(group).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringMatching(/^Usage: .*\[command\]$/m) });
    const command = await user.pal(['session', 'start', '--help']);
    expect(command).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringMatching(/\nExamples:\n {2}.*pal/) });
    expect((await user.pal(['help', 'session', 'start'])).stdout).toBe(command.stdout);
  });

  test('[INT3c] piped text has no colour, and text for a terminal behind the pipe has, unless NO_COLOR', async () => {
    const workspace = user.workspace();
    const coloured = await user.pal(['status'], { cwd: workspace.root, env: { PAL_TERMINAL: '100' } });
    expect(coloured.stdout).toContain('\u001b[');
    expect((await workspace.pal('status')).stdout).not.toContain('\u001b');
    expect(
      (await user.pal(['status'], { cwd: workspace.root, env: { PAL_TERMINAL: '100', NO_COLOR: '1' } })).stdout,
    ).not.toContain('\u001b');
  });

  test('[INT3f] a reader that has had enough ends the command without a word', async () => {
    const workspace = user.workspace();
    const child = user.start(['log', '--follow'], { cwd: workspace.root });
    await workspace.pal('session', 'start', '--id', 'x');
    await new Promise((resolve) => child.stdout!.once('data', resolve));
    const gone = ended(child);
    child.stdout!.destroy();
    await workspace.pal('session', 'end', 'x');
    expect(await gone).toMatchObject({ exit: 0, stderr: '' });
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('[INT3d] %s gets a script that names every command', async (shell) => {
    const { exit, stdout } = await user.pal(['completion', shell]);
    expect(exit).toBe(0);
    for (const word of ['status', 'changes', 'session', 'rename', 'completion', 'follow'])
      expect(stdout).toContain(word);
    expect(documentOf(await user.pal(['completion', shell, '--json']))).toMatchObject({ shell, script: stdout });
  });

  test('[INT3d] bash completes commands, subcommands and values', async () => {
    const { stdout: script } = await user.pal(['completion', 'bash']);
    const { spawnSync } = await import('node:child_process');
    const complete = (...words: string[]) => {
      const program = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _pal 2>/dev/null; printf '%s ' "\${COMPREPLY[@]}"`;
      const { stdout, status, stderr } = spawnSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout.trim().split(' ');
    };
    expect(complete('pal', 'sta')).toEqual(['stale', 'stats', 'status']);
    expect(complete('pal', '-C', '/tmp', 'session', 're')).toEqual(['rename']);
    expect(complete('pal', 'changes', '--status', 'c')).toEqual(['conflict']);
    expect(complete('pal', 'completion', 'z')).toEqual(['zsh']);
    expect(complete('pal', 'run', '--', '')).toEqual(['']);
  });

  test('[INT5c] bash completes ids, and none that a shell would expand', async () => {
    const workspace = user.workspace();
    for (const session of ['plain-session', '$(touch hacked)', 'two words', '-dash'])
      await workspace.call(session, 'call-1', 'Write', { file_path: session, content: 'x' }, () =>
        workspace.write(session.replaceAll(/\\W/g, '_'), 'x'),
      );
    const { stdout: script } = await user.pal(['completion', 'bash']);
    const { spawnSync } = await import('node:child_process');
    const complete = (...words: string[]) => {
      const pal = `pal() { '${process.execPath}' '${PAL}' "$@"; }`;
      const program = `${pal}\n${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _pal 2>/dev/null; printf '%s ' "\${COMPREPLY[@]}"`;
      const options = { encoding: 'utf8', cwd: workspace.root, env: user.environment } as const;
      return spawnSync('bash', ['-c', program, 'bash', ...words], options)
        .stdout.trim()
        .split(' ');
    };
    expect(complete('pal', 'changes', '--session', '')).toEqual(['plain-session']);
    expect(complete('pal', 'session', 'show', 'pl')).toEqual(['plain-session']);
    expect(complete('pal', 'accept', 'c').every((id) => /^c\d+\.\d+$/.test(id))).toBe(true);
    expect(complete('pal', 'checkpoint', 'restore', 'k')[0]).toMatch(/^k\d+$/);
    expect(complete('pal', 'reject', '--call', 'ca')).toEqual(['call-1']);
    await user.pal(['stop']);
    expect((await workspace.pal('complete', 'session')).stdout).toBe('');
  });

  test('[INT2a] another shell is wrong usage', async () =>
    expect((await user.pal(['completion', 'tcsh'])).exit).toBe(2));
});
