import { readFileSync } from 'node:fs';
import type { Target } from './target.js';

/** By this first line we know a file as ours. */
export const PLUGIN_MARK = '// Written by `pal init`; `pal init --remove` takes it away again.';

const FOLDER = new URL('../../plugins/', import.meta.url);

/**
 * The plugin as one file that needs nothing but what is built in: what all have in common stands in front, and it knows
 * how to run `pal`.
 */
export function pluginFile(path: string, source: string, pal: readonly string[]): Target {
  const shared = readFileSync(new URL('daemon-line.js', FOLDER), 'utf8').replace(/^export /gm, '');
  const own = readFileSync(new URL(source, FOLDER), 'utf8').replace(/^import .*daemon-line\.js';\n+/m, '');
  const body = shared.replace(/^const PAL = .*$/m, () => `const PAL = ${JSON.stringify(pal)};`);
  return { kind: 'own-file', path, text: `${PLUGIN_MARK}\n${body}\n${own}` };
}
