// Puts what `pal tool`, `pal hook` and `pal note` need into one file that loads Node's built-ins and nothing else, and
// writes the script that bash runs.
// Runs after `tsc -b`, on its output.
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import './hook-script.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const bundle = await rolldown({ input: here('dist/quick.js'), platform: 'node', external: (name) => isBuiltin(name) });
const { output } = await bundle.write({ file: here('dist/quick.bundle.cjs'), format: 'cjs', codeSplitting: false });
await bundle.close();

const foreign = output.flatMap(({ imports = [] }) => imports.filter((name) => !isBuiltin(name)));
if (foreign.length > 0) {
  process.stderr.write(`the quick bundle may only load Node's built-ins, but it imports ${foreign.join(', ')}\n`);
  process.exitCode = 1;
}
