import { resolveFrom } from './paths.js';
import { Prediction, type ShellPrediction } from './prediction.js';
import { ShellState } from './state.js';
import { Walk } from './walk.js';

/** Longer commands are not taken apart; they hold data rather than commands. */
const COMMAND_LENGTH_LIMIT = 512 * 1024;

/** Brackets that may be open at once. The parser's time grows with the square of them. */
const OPEN_BRACKETS_LIMIT = 400;

/** `cwd` is absolute, and its real path: `..` is taken off by letters. */
export function predictShell(command: string, cwd: string): ShellPrediction {
  const prediction = new Prediction();
  const start = resolveFrom('/', cwd, cwd).path;
  if (command.length > COMMAND_LENGTH_LIMIT || openBrackets(command) > OPEN_BRACKETS_LIMIT) prediction.open();
  else walk(command, start, prediction);
  return prediction.result();
}

function walk(command: string, start: string, prediction: Prediction): void {
  try {
    new Walk(start, prediction).walkText(command, new ShellState([start]));
  } catch {
    // The parser is not ours. Whatever it stumbles over must not keep the call from being recorded.
    prediction.open();
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
