import { Findings, type PredictedRead, type PredictedWrite } from './findings.js';
import { resolveFrom } from './paths.js';
import { ShellState } from './state.js';
import { Walk } from './walk.js';

/** What a shell command will do to files, as far as its text tells. */
export type ShellPrediction = {
  readonly writes: readonly PredictedWrite[];
  readonly reads: readonly PredictedRead[];
  /** Absolute beginnings of names that will be written but are not wholly known: `rm src/*.o` gives `…/src/`. */
  readonly patterns: readonly string[];
  /**
   * True only if every command in it is one whose writes are completely known: then a file that changed while it ran and
   * that is not among `writes` was changed by somebody else.
   */
  readonly closed: boolean;
  /** Something that it starts may still run after it has ended: `&`, `nohup`, `setsid`. */
  readonly background: boolean;
  /** Why it could not be understood; never empty when the syntax is not that of bash. */
  readonly errors: readonly string[];
};

/** Longer commands are not taken apart; they hold data rather than commands. */
export const COMMAND_LENGTH_LIMIT = 512 * 1024;

/** Brackets that may be open at once. The parser's time grows with the square of them. */
const OPEN_BRACKETS_LIMIT = 400;

/** `cwd` is absolute, and its real path: `..` is taken off by letters. */
export function predictShell(command: string, cwd: string): ShellPrediction {
  const findings = new Findings();
  const start = resolveFrom('/', cwd, cwd).path;
  if (command.length > COMMAND_LENGTH_LIMIT) findings.fail('too long to take apart');
  else if (openBrackets(command) > OPEN_BRACKETS_LIMIT) findings.fail('too many open brackets');
  else walk(command, start, findings);
  return findings.result();
}

function walk(command: string, start: string, findings: Findings): void {
  try {
    new Walk(start, findings).walkText(command, new ShellState([start]));
  } catch (error) {
    // The parser is not ours. Whatever it stumbles over must not keep the call from being recorded.
    findings.fail(error instanceof Error ? error.message : String(error));
  }
}

/** The most `{` and `[` that are open at one point, whatever quotes they stand in. */
function openBrackets(command: string): number {
  let open = 0;
  let most = 0;
  for (const [bracket] of command.matchAll(/[{}[\]]/g)) {
    open = bracket === '{' || bracket === '[' ? open + 1 : Math.max(0, open - 1);
    most = Math.max(most, open);
  }
  return most;
}
