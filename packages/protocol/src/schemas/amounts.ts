/** Lengths of time and sizes as people write them: `30d`, `1.5h`, `10GB`. Kept in milliseconds and bytes. */
export type AmountKind = 'time' | 'size';

const UNITS: Readonly<Record<AmountKind, Readonly<Record<string, number>>>> = {
  time: { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 },
  size: { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 },
};

/** Null for what is no such amount, or more than can be counted. A number alone is in the smallest unit. */
export function parseAmount(kind: AmountKind, text: string): number | null {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return null;
  const wanted = unit
    .toLowerCase()
    .replace(/^([kmgt])ib$/, '$1b')
    .replace(/^m$/, 'min');
  const found = Object.entries(UNITS[kind]).find(([name]) => name.toLowerCase() === wanted);
  const factor = wanted === '' ? 1 : found?.[1];
  const amount = factor === undefined ? Number.NaN : Math.round(Number(digits) * factor);
  return Number.isSafeInteger(amount) ? amount : null;
}

/** What `parseAmount` takes, in the spelling of the units that we use ourselves. */
export function amountPattern(kind: AmountKind): RegExp {
  return new RegExp(`^\\d+(\\.\\d+)?\\s*(${Object.keys(UNITS[kind]).join('|')})?$`);
}

/** In the largest unit in which it is a whole number. */
export function amountText(kind: AmountKind, amount: number): string {
  const units = Object.entries(UNITS[kind]).toReversed();
  const [name, factor] = units.find(([, one]) => amount >= one && amount % one === 0) ?? units.at(-1)!;
  return `${amount / factor}${name}`;
}
