import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENTS, type AgentName } from '../agents/agents.js';
import type { Scope, Strictness, Target, Worktrees } from '../agents/target.js';
import type { HookAddress } from '../link/hook-address.js';
import { findProgram } from '../surroundings/find-program.js';
import type { Surroundings } from '../surroundings/surroundings.js';

export type WireOptions = {
  readonly surroundings: Surroundings;
  readonly data: string;
  readonly workspace: string;
  readonly scope: Scope;
  readonly strictness: Strictness;
  readonly address: HookAddress | null;
  readonly worktrees?: Worktrees | undefined;
};

export function targetsOf(name: AgentName, options: WireOptions): readonly Target[] {
  const { surroundings, data, workspace, scope, strictness, address, worktrees } = options;
  const agent = AGENTS[name];
  const pal = scope === 'shared' ? ['pal'] : [process.execPath, PAL];
  const start = scope === 'shared' ? [] : quickStart(surroundings);
  return agent.wiring({
    ...{ scope, data, strictness, address, pal, worktrees },
    folder: scope === 'shared' ? join(workspace, agent.local[0]!) : agent.home(surroundings),
    command: (event, ...rest) => commandLine(scope, [...start, ...pal, 'hook', name, event, ...rest]),
    program: (event, ...rest) => commandLine(scope, [...pal, 'hook', name, event, ...rest]),
  });
}

/** The start file, seen from the compiled code and from the source alike. */
const PAL = fileURLToPath(new URL('../../bin/pal.js', import.meta.url));

const HOOK_SCRIPT = fileURLToPath(new URL('../../bundle/hook.sh', import.meta.url));

/** Where there is bash, it makes the request itself, and `pal` is what it falls back on. `-p`: whatever BASH_ENV says. */
function quickStart({ environment, platform }: Surroundings): readonly string[] {
  const bash = platform === 'win32' ? null : findProgram('bash', environment.PATH ?? '');
  return bash === null ? [] : [bash, '-p', HOOK_SCRIPT];
}

/** In a shared file it must do nothing for those who have no `pal`. */
function commandLine(scope: Scope, words: readonly string[]): string {
  const line = words.map(quoted).join(' ');
  return scope === 'shared' ? `if command -v pal >/dev/null 2>&1; then ${line}; fi` : line;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
