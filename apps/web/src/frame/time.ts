const UNITS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [2_592_000, 'day'],
  [31_536_000, 'month'],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** How long ago, in words. */
export function ago(at: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
  if (seconds < 5) return 'just now';
  let size = 1;
  for (const [limit, unit] of UNITS) {
    if (seconds < limit) return relative.format(-Math.floor(seconds / size), unit);
    size = limit;
  }
  return relative.format(-Math.floor(seconds / 31_536_000), 'year');
}

export function clock(at: string): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}
