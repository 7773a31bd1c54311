import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { PAL, User } from '../cli/pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

const app = dirname(dirname(PAL));
const place = join(user.folder, 'installed');

/** As a package manager does it: the old files go, others come. */
function install(): void {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  for (const name of ['bin', 'bundle', 'package.json']) cpSync(join(app, name), join(place, name), { recursive: true });
}

/** With the chunks of another build, which are called otherwise. */
function installAnother(): void {
  install();
  const files = readdirSync(join(place, 'bundle'), { recursive: true, encoding: 'utf8' });
  const chunks = files.filter((name) => name.startsWith('chunks/')).map((name) => name.slice('chunks/'.length));
  for (const name of files.filter((each) => each.endsWith('.js') && !each.startsWith('sqlite'))) {
    const file = join(place, 'bundle', name);
    const text = readFileSync(file, 'utf8');
    const other = chunks.reduce((changed, chunk) => changed.replaceAll(chunk, `other-${chunk}`), text);
    if (other !== text) writeFileSync(file, other);
  }
  for (const chunk of chunks)
    renameSync(join(place, 'bundle/chunks', chunk), join(place, 'bundle/chunks', `other-${chunk}`));
}

test('[AGT2k] installed anew under a running daemon, and removed, and back', async () => {
  const workspace = user.workspace();
  install();
  const pal = (...words: string[]) =>
    spawnSync(process.execPath, [join(place, 'bin/pal.js'), ...words], {
      cwd: workspace.root,
      env: user.environment,
      encoding: 'utf8',
    });
  const { id } = (JSON.parse(pal('status', '--json').stdout) as { workspace: { id: string } }).workspace;
  const { port, token } = JSON.parse(readFileSync(join(user.data, 'daemon.json'), 'utf8')) as {
    port: number;
    token: string;
  };
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const introduce = () =>
    fetch(`http://127.0.0.1:${port}/v1/workspaces/${id}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
  renameSync(place, `${place}-away`);
  const gone = await introduce();
  expect([gone.status, await gone.json()]).toMatchObject([503, { error: { code: 'not-installed' } }]);
  installAnother();
  expect((await introduce()).status).toBe(200);
});
