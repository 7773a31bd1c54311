import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { HookDoor } from '../../daemon/hook-door.js';
import type { Surroundings } from '../../places.js';
import type { AgentName } from '../agent-name.js';
import { findProgram } from './found.js';
import { type HookGroup, hookGroups, type Strictness } from './hook-groups.js';
import { agentPlaces } from './places.js';
import { pluginText } from './plugin-file.js';

/** One file that wiring an agent up touches, and how. */
export type Target =
  | { readonly kind: 'hooks'; readonly path: string; readonly groups: readonly HookGroup[]; readonly secret: boolean }
  | { readonly kind: 'plugin-list'; readonly path: string; readonly url: string }
  /** Wholly ours. */
  | { readonly kind: 'own-file'; readonly path: string; readonly text: string };

/** `user`: in the user's own configuration, for every workspace. `shared`: in the workspace, for everybody in it. */
export type Scope = 'user' | 'shared';

export type WireOptions = {
  readonly surroundings: Surroundings;
  readonly data: string;
  readonly workspace: string;
  readonly scope: Scope;
  readonly strictness: Strictness;
  /** Where Claude Code asks about its tools; null when it runs a program for that, as it does at all other events. */
  readonly door: HookDoor | null;
};

export function targetsOf(agent: AgentName, options: WireOptions): readonly Target[] {
  const { surroundings, data, workspace, scope, strictness, door } = options;
  const { home, local } = agentPlaces(surroundings)[agent];
  const folder = scope === 'shared' ? join(workspace, local[0]!) : home;
  const pal = scope === 'shared' ? ['pal'] : [process.execPath, PAL];
  const start = scope === 'shared' ? [] : quickStart(surroundings);
  const line = (event: string, ...rest: readonly string[]) =>
    commandLine(scope, [...start, ...pal, 'hook', agent, event, ...rest]);
  switch (agent) {
    case 'claude':
      return [hooks(join(folder, 'settings.json'), hookGroups(agent, line, strictness, door), door !== null)];
    case 'gemini':
      return [hooks(join(folder, 'settings.json'), hookGroups(agent, line, strictness), false)];
    case 'codex':
      return [hooks(join(folder, 'hooks.json'), hookGroups(agent, line, strictness), false)];
    case 'opencode': {
      if (scope === 'shared') return [plugin(join(folder, 'plugin', 'palimpsest.js'), agent, pal)];
      const file = join(data, 'plugins', 'palimpsest-opencode.js');
      return [
        plugin(file, agent, pal),
        { kind: 'plugin-list', path: opencodeConfig(folder), url: pathToFileURL(file).href },
      ];
    }
    case 'cline':
      return [plugin(join(folder, 'plugins', 'palimpsest.js'), agent, pal)];
  }
}

/** The start file, seen from the compiled code and from the source alike. */
const PAL = fileURLToPath(new URL('../../../bin/pal.js', import.meta.url));

const HOOK_SCRIPT = fileURLToPath(new URL('../../../plugins/hook.sh', import.meta.url));

/** Where there is bash, it makes the request itself, and `pal` is what it falls back on. `-p`: whatever BASH_ENV says. */
function quickStart({ environment, platform }: Surroundings): readonly string[] {
  const bash = platform === 'win32' ? null : findProgram('bash', environment.PATH ?? '');
  return bash === null ? [] : [bash, '-p', HOOK_SCRIPT];
}

function hooks(path: string, groups: readonly HookGroup[], secret: boolean): Target {
  return { kind: 'hooks', path, groups, secret };
}

function plugin(path: string, agent: 'opencode' | 'cline', pal: readonly string[]): Target {
  return { kind: 'own-file', path, text: pluginText(agent, pal) };
}

function opencodeConfig(folder: string): string {
  const commented = join(folder, 'opencode.jsonc');
  return existsSync(commented) ? commented : join(folder, 'opencode.json');
}

/** In a shared file it must do nothing for those who have no `pal`. */
function commandLine(scope: Scope, words: readonly string[]): string {
  const line = words.map(quoted).join(' ');
  return scope === 'shared' ? `if command -v pal >/dev/null 2>&1; then ${line}; fi` : line;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
