// Runs after `tsc -b`, on its output. Bundles what must start quickly or stand alone, so that it loads Node's built-ins and
// nothing else: what `pal tool`, `pal hook` and `pal note` need, and each plugin. Then writes the script that bash runs.
import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import './hook-script.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const plugins = readdirSync(here('plugins')).filter((name) => name.endsWith('.js'));

await bundle('dist/quick.js', { file: here('dist/quick.bundle.cjs'), format: 'cjs' });
for (const name of plugins) await bundle(`plugins/${name}`, { file: here(`dist/plugins/${name}`), format: 'esm' });

async function bundle(input, output) {
  const made = await rolldown({ input: here(input), platform: 'node', external: (name) => isBuiltin(name) });
  const { output: files } = await made.write({ ...output, codeSplitting: false });
  await made.close();
  const foreign = files.flatMap(({ imports = [] }) => imports.filter((name) => !isBuiltin(name)));
  if (foreign.length === 0) return;
  process.stderr.write(`${input} may only load Node's built-ins, but it imports ${foreign.join(', ')}\n`);
  process.exitCode = 1;
}
