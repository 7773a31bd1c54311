// Runs after `tsc -b`, on its output, and makes bundle/: all that `pal` is once it is installed, with nothing left to load
// from another package. What agents start at every step, and what they load as a plugin, is one file of its own each; the
// rest is cut so that a command loads what it uses.
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { helpIndex } from './help-index.mjs';
import { hookScript } from './hook-script.mjs';
import { licensesOf } from './licenses.mjs';
import { manPage } from './man.mjs';

const pal = fileURLToPath(new URL('.', import.meta.url));
const engine = fileURLToPath(new URL('../../packages/engine/', import.meta.url));
const web = fileURLToPath(new URL('../web/', import.meta.url));
const sqlite = dirname(createRequire(join(engine, 'package.json')).resolve('@photostructure/sqlite/package.json'));
const draft = join(pal, 'bundle.draft');
const bundled = new Set();

rmSync(draft, { recursive: true, force: true });
await bundle({ input: join(pal, 'dist/quick.js') }, { file: join(draft, 'quick.cjs'), format: 'cjs' });
for (const name of namesIn('plugins', '.js'))
  await bundle({ input: join(pal, 'plugins', name) }, { file: join(draft, 'plugins', name), format: 'esm' });
await bundle(
  { input: programs(), plugins: [places(), jsonc()] },
  { dir: draft, chunkFileNames: 'chunks/[name]-[hash].js' },
);
await bundle({ input: join(sqlite, 'dist/index.cjs') }, { file: join(draft, 'sqlite/dist/index.cjs'), format: 'cjs' });
cpSync(join(sqlite, 'prebuilds'), join(draft, 'sqlite/prebuilds'), { recursive: true });
// The page was built before; the browser gets it as it is.
cpSync(join(web, 'dist'), join(draft, 'web'), { recursive: true });
for (const id of JSON.parse(readFileSync(join(web, 'modules.json'), 'utf8'))) bundled.add(id);
writeFileSync(join(draft, 'hook.sh'), hookScript());
writeFileSync(join(draft, 'help-index.json'), JSON.stringify(await helpIndex()));
writeFileSync(join(draft, 'pal.1'), await manPage());
writeFileSync(join(draft, 'LICENSES.txt'), licensesOf(bundled));
// npm takes these two from beside package.json only.
for (const name of ['LICENSE', 'README.md']) cpSync(join(pal, '../..', name), join(pal, name));
// In its place at the last moment, because an agent may be starting one of these.
rmSync(join(pal, 'bundle'), { recursive: true, force: true });
renameSync(draft, join(pal, 'bundle'));

async function bundle(what, output) {
  const made = await rolldown({ ...what, platform: 'node', external: (name) => isBuiltin(name) });
  const { output: files } = await made.write({ ...output, codeSplitting: 'dir' in output });
  await made.close();
  for (const { moduleIds = [] } of files) for (const id of moduleIds) bundled.add(id);
  const foreign = files.flatMap(({ imports = [] }) =>
    imports.filter((name) => !isBuiltin(name) && !isOneOf(files, name)),
  );
  if (foreign.length === 0) return;
  process.stderr.write(`${what.input} may only load Node's built-ins, but it imports ${foreign.join(', ')}\n`);
  process.exit(1);
}

function isOneOf(files, name) {
  return files.some(({ fileName }) => fileName === name);
}

/**
 * What is started, or looked for, by the name of its file: that name, and the compiled file. What a daemon loads long after
 * it was started is among them: by then another version may be installed, in which the names of the chunks are others.
 */
function programs() {
  const own = [
    'main.js',
    'daemon/main.js',
    'mcp/http.js',
    ...namesIn('dist/commands', '.js').map((name) => `commands/${name}`),
  ];
  const threads = ['dist/watch/watch-worker.js', 'dist/tree/scan-worker.js'];
  return Object.fromEntries([
    ...own.map((name) => [name.slice(0, -3), join(pal, 'dist', name)]),
    ...threads.map((name) => [`engine/${name.slice(0, -3)}`, join(engine, name)]),
  ]);
}

/**
 * A module of ours finds files by where it is itself, and a bundle puts it elsewhere. To each its `import.meta.url` goes on
 * being its place in its own package, with bundle/ for pal's dist/ and bundle/engine/ for the engine's folder.
 */
function places() {
  const mark = (place) => `__PLACE__(${JSON.stringify(place)})`;
  return {
    name: 'places',
    transform(code, id) {
      const place = id.startsWith(join(pal, 'dist'))
        ? relative(join(pal, 'dist'), id)
        : id.startsWith(engine)
          ? join('engine', relative(engine, id))
          : null;
      return place === null ? null : code.replaceAll('import.meta.url', mark(place.split(sep).join('/')));
    },
    renderChunk(code, { fileName }) {
      return code.replace(/__PLACE__\("(.+?)"\)/g, (_, place) => {
        const way = relative(dirname(fileName), place).split(sep).join('/');
        return `new URL(${JSON.stringify(way)}, import.meta.url).href`;
      });
    },
  };
}

/** Node loads a form of this package that asks for its parts at run time; a bundler needs the other one. */
function jsonc() {
  return {
    name: 'jsonc',
    resolveId: (name) => (name === 'jsonc-parser' ? '\0jsonc' : null),
    load: (id) => (id === '\0jsonc' ? `export * as default from 'jsonc-parser/lib/esm/main.js';` : null),
  };
}

function namesIn(folder, ending) {
  return readdirSync(join(pal, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
}
