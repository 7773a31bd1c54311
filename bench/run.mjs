// Runs every benchmark in turn. Each prints its own table with ratios; name one or more to run only those.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const SHARED = new Set(['run', 'trees', 'agents']);
const all = readdirSync(here)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => basename(name, '.mjs'))
  .filter((name) => !SHARED.has(name));
const chosen = process.argv.slice(2);
let failed = 0;
for (const name of chosen.length > 0 ? chosen : all) {
  process.stdout.write(`\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}\n`);
  const run = spawnSync(process.execPath, [`${here}${name}.mjs`], { stdio: 'inherit' });
  if (run.status !== 0) failed += 1;
}
process.exitCode = failed > 0 ? 1 : 0;
