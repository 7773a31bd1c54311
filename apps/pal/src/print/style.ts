import { type ColourWish, type Paint, paintFor } from './paint.js';
import { COMMANDS, type Steps } from './steps.js';

/** What a text for a person depends on besides what it says. */
export type Style = {
  readonly paint: Paint;
  /** Columns of the terminal; null when the text goes elsewhere, where nothing is cut short. */
  readonly width: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly steps: Steps;
};

export type Stream = { readonly isTTY?: boolean; readonly columns?: number };

/**
 * `PAL_TERMINAL=COLUMNS` says that whoever reads our pipe will show it on a terminal of that width, as `less -R` does,
 * and as the demo does with what its commands print.
 */
export function styleOf(stream: Stream, environment: ColourWish['environment']): Style {
  const behindPipe = Number(environment.PAL_TERMINAL ?? '');
  const isTerminal = stream.isTTY === true || behindPipe > 0;
  return {
    paint: paintFor({ isTerminal, environment }),
    width: isTerminal ? (stream.columns ?? (behindPipe > 0 ? behindPipe : null)) : null,
    now: Date.now(),
    steps: COMMANDS,
  };
}
