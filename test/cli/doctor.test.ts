import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { documentOf, User } from './pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

type Diagnosis = {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly check: string;
    readonly state: string;
    readonly message: string;
    readonly remedy?: string;
  }[];
};

async function diagnose(
  env: Readonly<Record<string, string>> = {},
): Promise<Diagnosis & { readonly exit: number; readonly text: string; of(check: string): string }> {
  const json = await user.pal(['doctor', '--json'], { env });
  const text = await user.pal(['doctor'], { env });
  expect(text.exit).toBe(json.exit);
  const diagnosis = documentOf<Diagnosis>(json);
  for (const { state, remedy } of diagnosis.checks) if (state !== 'ok') expect(text.stdout).toContain(remedy);
  return {
    ...diagnosis,
    exit: json.exit,
    text: text.stdout,
    of: (name) => diagnosis.checks.find(({ check }) => check === name)?.state ?? 'none',
  };
}

/** A folder for PATH with the programs given, node always among them. */
function programs(name: string, scripts: Readonly<Record<string, string>>): string {
  const folder = join(user.folder, name);
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const [program, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, program), 0o755);
  }
  return folder;
}

describe('pal doctor', () => {
  test('[INT1c] all is well where nothing is wrong, and looking starts nothing', async () => {
    const { ok, exit, checks, text } = await diagnose();
    expect({ ok, exit }).toEqual({ ok: true, exit: 0 });
    expect(checks.map(({ check }) => check)).toEqual(['node', 'git', 'data', 'disk', 'clock', 'watching', 'daemon']);
    expect(text).toContain('all is well');
    expect(checks.at(-1)!.message).toContain('not running');
  });

  test('[INT1c] no git', async () => {
    const found = await diagnose({ PATH: programs('no-git', {}) });
    expect([found.exit, found.ok, found.of('git')]).toEqual([1, false, 'wrong']);
  });

  test('[INT1c] an old git', async () => {
    const found = await diagnose({ PATH: programs('old-git', { git: 'echo git version 2.17.1' }) });
    expect([found.exit, found.of('git')]).toEqual([1, 'wrong']);
    expect(found.text).toContain('git 2.17.1 is too old');
  });

  test('[INT1c] a data directory that cannot be written', async () => {
    const file = join(user.folder, 'occupied');
    writeFileSync(file, '');
    const found = await diagnose({ PALIMPSEST_HOME: join(file, 'data') });
    expect([found.exit, found.of('data'), found.of('disk')]).toEqual([1, 'wrong', 'none']);
  });

  test('[INT1c] a data directory that others can read', async () => {
    const open = join(user.folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o755);
    const found = await diagnose({ PALIMPSEST_HOME: open });
    expect([found.exit, found.of('data')]).toEqual([0, 'careful']);
  });

  test('[INT1c] a daemon that runs, one that is gone, and one that is somebody else', async () => {
    const workspace = user.workspace();
    await workspace.pal('status');
    expect((await diagnose()).checks.at(-1)!.message).toMatch(/running as process \d+/);
    const discovery = JSON.parse(readFileSync(join(user.data, 'daemon.json'), 'utf8')) as Record<string, unknown>;
    const left = join(user.folder, 'left');
    mkdirSync(left, { mode: 0o700 });
    const says = (info: Record<string, unknown>) =>
      writeFileSync(join(left, 'daemon.json'), JSON.stringify(info), { mode: 0o600 });

    says({ ...discovery, pid: 2 ** 22 - 1 });
    const stale = await diagnose({ PALIMPSEST_HOME: left });
    expect([stale.exit, stale.of('daemon')]).toEqual([1, 'wrong']);
    expect(stale.text).toContain('left over');

    says({ ...discovery, token: 'wrong' });
    expect((await diagnose({ PALIMPSEST_HOME: left })).of('daemon')).toBe('wrong');

    says({ ...discovery, pid: process.pid, port: 1 });
    const silent = await diagnose({ PALIMPSEST_HOME: left });
    expect([silent.exit, silent.of('daemon')]).toEqual([1, 'wrong']);
    expect(silent.text).toContain('does not answer');
  });
});
