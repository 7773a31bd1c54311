/**
 * SQLite cuts a text at NUL when it is read, and cannot hold half of a surrogate pair. Such texts are stored as JSON,
 * which escapes both; so that no two texts share a column value, those that begin as JSON strings do are stored so too.
 */
export function toColumn(text: string): string {
  return NEEDS_JSON.test(text) ? JSON.stringify(text) : text;
}

export function fromColumn(stored: string): string {
  return stored.startsWith('"') ? (JSON.parse(stored) as string) : stored;
}

/** With the `u` flag a surrogate matches only where it has no partner. */
const NEEDS_JSON = /^"|\0|[\uD800-\uDFFF]/u;
