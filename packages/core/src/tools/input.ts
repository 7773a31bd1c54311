/**
 * A tool call's input as it may arrive: an object, JSON text of one, or plain text. Field names are compared without
 * case, `_` and `-`, because agents spell the same field in every way.
 */
export type ToolInput =
  | { readonly kind: 'fields'; readonly fields: Fields }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing' };

export type Fields = ReadonlyMap<string, unknown>;

/** Envelopes that some agents put around the real fields. */
const ENVELOPES = ['arguments', 'args', 'input', 'parameters', 'params', 'toolinput', 'action'];

const ENVELOPE_DEPTH_LIMIT = 3;

export function readInput(input: unknown, depth = 0): ToolInput {
  if (typeof input === 'string') {
    const parsed = parseJson(input);
    if (typeof parsed === 'string') return { kind: 'text', text: parsed };
    if (typeof parsed === 'object' && parsed !== null) return readInput(parsed, depth);
    return input === '' ? { kind: 'nothing' } : { kind: 'text', text: input };
  }
  if (Array.isArray(input)) return { kind: 'fields', fields: new Map<string, unknown>([['items', input]]) };
  if (typeof input !== 'object' || input === null) return { kind: 'nothing' };
  const fields = fieldsOf(input);
  const [onlyKey, onlyValue] = [...fields][0] ?? [];
  const envelope = fields.size === 1 && onlyKey !== undefined && ENVELOPES.includes(onlyKey);
  if (!envelope || depth >= ENVELOPE_DEPTH_LIMIT) return { kind: 'fields', fields };
  const inner = typeof onlyValue === 'string' ? parseJson(onlyValue) : onlyValue;
  return typeof inner === 'object' && inner !== null ? readInput(inner, depth + 1) : { kind: 'fields', fields };
}

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  return new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase().replace(/[_-]/g, ''), field]));
}

export function textAt(fields: Fields, ...names: readonly string[]): string | undefined {
  return firstAt(fields, names, (value) => (typeof value === 'string' ? value : undefined));
}

/** Numbers may come as text. */
export function numberAt(fields: Fields, ...names: readonly string[]): number | undefined {
  return firstAt(fields, names, (value) => {
    const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value;
    return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
  });
}

export function flagAt(fields: Fields, ...names: readonly string[]): boolean {
  return firstAt(fields, names, (value) => (value === true || value === 'true' ? true : undefined)) ?? false;
}

/** Lists may come as the JSON text of one. */
export function listAt(fields: Fields, ...names: readonly string[]): readonly unknown[] | undefined {
  return firstAt(fields, names, (value) => {
    const list = typeof value === 'string' ? parseJson(value) : value;
    return Array.isArray(list) ? list : undefined;
  });
}

function firstAt<T>(fields: Fields, names: readonly string[], read: (value: unknown) => T | undefined): T | undefined {
  for (const name of names) {
    const found = read(fields.get(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
