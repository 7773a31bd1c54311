import type { Function as FunctionNode } from 'unbash';

/** What a shell knows at one point of a script, as far as the letters tell. */
export class ShellState {
  /** The folders it may be in; null when that is not known. */
  cwds: readonly string[] | null;
  /** Set by a `cd` until the next command: where the shell is if it succeeded. */
  afterSuccess: readonly string[] | null | undefined;
  /** Variables whose value is known. */
  readonly vars: Map<string, string>;
  readonly functions: Map<string, FunctionNode['body']>;
  /** Functions that only one of two branches defined: their name may still mean a command. */
  readonly doubtful = new Set<string>();

  constructor(
    cwds: readonly string[] | null,
    vars: ReadonlyMap<string, string> = new Map(),
    functions: ReadonlyMap<string, FunctionNode['body']> = new Map(),
  ) {
    this.cwds = cwds;
    this.vars = new Map(vars);
    this.functions = new Map(functions);
  }

  fork(): ShellState {
    const copy = new ShellState(this.cwds, this.vars, this.functions);
    for (const name of this.doubtful) copy.doubtful.add(name);
    return copy;
  }

  /** A shell of its own sees the folder but none of the variables that were not exported. */
  child(): ShellState {
    return new ShellState(this.cwds);
  }

  /** Takes in what is the case if the other branch was the one that ran. */
  join(other: ShellState): void {
    this.cwds = joinFolders(this.cwds, other.cwds);
    for (const [name, value] of this.vars) if (other.vars.get(name) !== value) this.vars.delete(name);
    for (const name of this.functions.keys()) if (!other.functions.has(name)) this.doubtful.add(name);
    for (const [name, body] of other.functions) {
      if (this.functions.get(name) !== body || other.doubtful.has(name)) this.doubtful.add(name);
      this.functions.set(name, body);
    }
  }
}

/** More places than this is as good as not knowing. */
const FOLDERS_LIMIT = 8;

export function joinFolders(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return null;
  const all = [...new Set([...a, ...b])];
  return all.length > FOLDERS_LIMIT ? null : all;
}
