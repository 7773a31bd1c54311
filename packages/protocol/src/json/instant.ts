/** The last moment that a date can hold; clocks that claim more are cut there rather than refused. */
const LAST_MOMENT_MS = 8.64e15;

export function instant(ms: number): string {
  return new Date(Math.max(-LAST_MOMENT_MS, Math.min(LAST_MOMENT_MS, ms))).toISOString();
}
