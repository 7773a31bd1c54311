import { LAST_LINE, type LineRange } from '@palimpsest/core';

/** Payloads come from other programs: whatever is not of the expected shape reads as absent. */
export type Payload = Readonly<Record<string, unknown>>;

export function payloadOf(value: unknown): Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

export function textAt(payload: Payload, key: string): string | undefined {
  const value = payload[key];
  return typeof value === 'string' ? value : undefined;
}

/**
 * The lines of a file that a tool says it showed. Past the last one there is nothing more to show; `undefined` where it
 * says nothing of the kind.
 */
export function shownLines(from: unknown, to: unknown, total: unknown): LineRange | undefined {
  if (!isLine(from) || !isLine(to) || !isLine(total) || to < from) return undefined;
  return { from, to: to >= total ? LAST_LINE : to };
}

function isLine(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

/** What a tool printed, out of the shapes that tools answer in; undefined where there is no text in it. */
export function outputText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return joined(value.map(outputText));
  const fields = payloadOf(value);
  const printed = joined([textAt(fields, 'stdout'), textAt(fields, 'stderr')]);
  if (printed !== undefined) return printed;
  for (const key of ['text', 'result', 'output', 'content', 'filenames']) {
    const inner = fields[key] === undefined ? undefined : outputText(fields[key]);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const some = texts.filter((text) => text !== undefined && text !== '');
  return some.length > 0 ? some.join('\n') : texts.includes('') ? '' : undefined;
}
