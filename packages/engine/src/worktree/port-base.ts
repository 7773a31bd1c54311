import { createHash } from 'node:crypto';

const FIRST = 20_000;
const PORTS_EACH = 20;
/** Below the ports that systems hand out by themselves, which begin at 32768 or later. */
const BASES = 600;

/** The first of twenty ports for the servers of one worktree: by its name, and none that another one has. */
export function portBaseOf(name: string, taken: ReadonlySet<number>): number {
  const first = createHash('sha256').update(name).digest().readUInt32BE(0);
  for (let n = 0; n < BASES; n++) {
    const base = FIRST + ((first + n) % BASES) * PORTS_EACH;
    if (!taken.has(base)) return base;
  }
  return FIRST + (first % BASES) * PORTS_EACH;
}
