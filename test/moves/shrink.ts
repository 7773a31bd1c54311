import { type Played, play } from './play.js';

export type Shrunken = { readonly played: Played; readonly steps: number; readonly skip: string };

const ROUNDS_LIMIT = 150;

/** Leaves out steps, first many at once and then fewer, as long as the same rule breaks. */
export async function shrink(failed: Played, skipped: ReadonlySet<number>): Promise<Shrunken> {
  const { seed, steps } = failed;
  const rule = ruleOf(failed);
  let skip = new Set(skipped);
  let best = failed;
  let rounds = 0;
  for (
    let size = Math.ceil(steps / 2);
    size >= 1 && rounds < ROUNDS_LIMIT;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 1; from < steps && rounds < ROUNDS_LIMIT; from += size) {
      const part = Array.from({ length: size }, (_, index) => from + index).filter(
        (step) => step < steps && !skip.has(step),
      );
      if (part.length === 0) continue;
      rounds += 1;
      const tried = new Set([...skip, ...part]);
      const played = await play({ seed, steps, skip: tried });
      if (ruleOf(played) !== rule) continue;
      skip = tried;
      best = played;
    }
  }
  return { played: best, steps: steps - skip.size, skip: ranges([...skip].sort((a, b) => a - b)) };
}

/** The same complaint, whatever the names in it. */
function ruleOf({ failure }: Played): string {
  return failure === null ? '' : failure.error.message.replaceAll(/[\d~"'][^\s]*/g, '').slice(0, 60);
}

function ranges(steps: readonly number[]): string {
  const parts: string[] = [];
  for (let index = 0; index < steps.length; index++) {
    const from = steps[index]!;
    while (steps[index + 1] === steps[index]! + 1) index += 1;
    parts.push(from === steps[index] ? `${from}` : `${from}-${steps[index]}`);
  }
  return parts.join(',');
}
