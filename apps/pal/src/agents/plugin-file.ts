import { readFileSync } from 'node:fs';
import type { Target } from './target.js';

/** By this first line we know a file as ours. */
export const PLUGIN_MARK = '// Written by `pal init`; `pal init --remove` takes it away again.';

/** Made by the build: each plugin as one file that needs nothing but what is built in. */
const FOLDER = new URL('../../bundle/plugins/', import.meta.url);

/** How `pal` is run, and for how long the agent may be kept waiting. */
export type PluginFacts = { readonly pal: readonly string[]; readonly deadlineMs: number };

/** The plugin, which knows these facts. */
export function pluginFile(path: string, source: string, { pal, deadlineMs }: PluginFacts): Target {
  const text = readFileSync(new URL(source, FOLDER), 'utf8')
    .replace(/^const PAL = .*$/m, () => `const PAL = ${JSON.stringify(pal)};`)
    .replace(/^const WAITS = .*$/m, () => `const WAITS = ${JSON.stringify({ deadlineMs })};`);
  return { kind: 'own-file', path, text: `${PLUGIN_MARK}\n${text}` };
}
