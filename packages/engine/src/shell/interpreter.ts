import type { SyntaxNode } from 'unbash';
import type { Prediction } from './prediction.js';
import type { ShellState } from './state.js';

/** What running one simple command needs of the walk over the whole script. */
export interface Interpreter {
  /** The folder that the command as a whole starts in. */
  readonly start: string;
  readonly prediction: Prediction;
  /** False when the script is larger than is worth following; that was noted. */
  spend(): boolean;
  /** Parses and walks text that a shell would run. */
  walkText(text: string, state: ShellState): void;
  /** Walks the body of a function. */
  walkBody(body: SyntaxNode, state: ShellState): void;
  /** Walks the scripts inside words: `$(…)`, backquotes, `<(…)`. */
  walkNested(node: SyntaxNode, state: ShellState): void;
}
