import { failed, type Outcome, ok } from '../outcome.js';

/** A JSON object whose fields nobody has looked at yet. */
export type JsonObject = { readonly [field: string]: unknown };

/** Why a text is not what it should be; `at` is the field or entry that is wrong. */
export type FormatError =
  | { readonly code: 'not-json'; readonly reason: string }
  | { readonly code: 'bad-format'; readonly at: string; readonly expected: string };

export function parseJsonObject(text: string): Outcome<JsonObject, FormatError> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return failed({ code: 'not-json', reason: error instanceof Error ? error.message : String(error) });
  }
  return isJsonObject(value) ? ok(value) : failed({ code: 'bad-format', at: '', expected: 'an object' });
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that are not among `known`. */
export function otherFields(object: JsonObject, known: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !known.has(field)));
}

export function isDate(value: unknown): value is number | null | undefined {
  return value === undefined || value === null || (typeof value === 'number' && Number.isFinite(value));
}
