import { hanging } from './folded.js';
import type { Style } from './style.js';

/** A name and what there is to say; undefined where there is nothing. */
export type Fact = readonly [name: string, value: string | undefined];

/** What stands below a title: one fact per line, their names in a column of `width`. */
export function factLines(facts: readonly Fact[], width: number, { paint, width: room }: Style): readonly string[] {
  return facts.flatMap(([name, value]) =>
    value === undefined ? [] : [hanging(`  ${paint.quiet(name.padEnd(width))}`, value, room)],
  );
}
