import { readFileSync } from 'node:fs';
import type { Target } from './target.js';

/** By this first line we know a file as ours. */
export const PLUGIN_MARK = '// Written by `pal init`; `pal init --remove` takes it away again.';

/** Made by the build: each plugin as one file that needs nothing but what is built in. */
const FOLDER = new URL('../../bundle/plugins/', import.meta.url);

/** The plugin, which knows how to run `pal`. */
export function pluginFile(path: string, source: string, pal: readonly string[]): Target {
  const text = readFileSync(new URL(source, FOLDER), 'utf8').replace(
    /^const PAL = .*$/m,
    () => `const PAL = ${JSON.stringify(pal)};`,
  );
  return { kind: 'own-file', path, text: `${PLUGIN_MARK}\n${text}` };
}
