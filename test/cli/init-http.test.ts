import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { User, type Workspace } from './pal.fixture.js';

let user: User;
let workspace: Workspace;
beforeEach(() => {
  user = new User();
  workspace = user.workspace();
});
afterEach(() => user.leave());

const door = () => join(user.data, 'hook-door.json');
const settings = () => join(user.environment.HOME!, '.claude/settings.json');
const init = (...options: readonly string[]) => workspace.pal('init', '--agent', 'claude', ...options);

describe('pal init --http', () => {
  test('[AGT1d] what is shown has no token, and a dry run makes none', async () => {
    const shown = await init('--http', '--dry-run');
    expect(shown.stdout).toContain('"type": "http"');
    expect(existsSync(door())).toBe(false);
    const written = await init('--http', '--json');
    const { token } = JSON.parse(readFileSync(door(), 'utf8')) as { token: string };
    expect(readFileSync(settings(), 'utf8')).toContain(token);
    for (const { stdout } of [written, await init('--remove', '--dry-run'), await init('--json')])
      expect(stdout).not.toContain(token);
  });

  test('[AGT1d] the address goes with the hooks that know it, and stays while they do', async () => {
    await init('--http');
    const good = readFileSync(settings(), 'utf8');
    writeFileSync(settings(), `${good}x`);
    for (const options of [[], ['--remove'], ['--http']]) expect((await init(...options)).exit).toBe(1);
    expect(existsSync(door())).toBe(true);
    writeFileSync(settings(), good);
    expect((await init()).exit).toBe(0);
    expect(existsSync(door())).toBe(false);
  });

  test('[AGT1d] no address is made for hooks that are not written', async () => {
    mkdirSync(join(user.environment.HOME!, '.claude'));
    writeFileSync(settings(), 'not json');
    expect((await init('--http')).exit).toBe(1);
    expect(existsSync(door())).toBe(false);
  });

  test('[AGT1d] a proxy in the way, or files that are shared, are refused with what to do', async () => {
    const proxied = await user.pal(['init', '--agent', 'claude', '--http'], {
      cwd: workspace.root,
      env: { HTTPS_PROXY: 'http://x:1' },
    });
    expect([proxied.exit, proxied.stderr]).toEqual([1, expect.stringContaining('NO_PROXY')]);
    expect((await init('--http', '--shared')).exit).toBe(2);
    expect(existsSync(settings())).toBe(false);
  });
});
