import type { Column } from './moves.js';

/** One thing that an agent is about to do with one call. */
export type Act = {
  readonly column: Column;
  readonly move: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly shell: boolean;
  readonly paths: readonly string[];
  /** What the guard has to say, as far as the views of the session decide it. */
  readonly expected: 'allow' | 'deny' | 'either';
  readonly why: string;
  /** Does it, as the tool would, to what is there by then; false when the tool failed. `half` has it done in two parts. */
  readonly run: (halfWay: () => Promise<void>) => Promise<boolean>;
  /** After the call ended: what the session has seen through it. */
  readonly shown: (done: boolean) => void;
};

export const NOTHING_BETWEEN = () => Promise.resolve();
