// `npm start`: builds if need be, and says so, since the first time takes a while in which nothing else is seen.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = existsSync(new URL('bundle/main.js', import.meta.url));
process.stderr.write(
  built ? 'bringing the build up to date …\n' : 'building Palimpsest: the first time takes about a minute …\n',
);
const began = Date.now();
const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  stdio: ['ignore', 'inherit', 'inherit'],
  shell: process.platform === 'win32',
});
if (status === 0) process.stderr.write(`built in ${((Date.now() - began) / 1000).toFixed(0)} s\n`);
process.exitCode = status ?? 1;
