import { isObjectId, type ObjectId } from './object-id.js';

/** Lines of `<id> <name>`; `#` starts a header and `^` the target of the tag above. */
export function parsePackedRefs(text: string): ReadonlyMap<string, ObjectId> {
  const refs = new Map<string, ObjectId>();
  for (const line of text.split('\n')) {
    const id = line.slice(0, 40);
    if (isObjectId(id) && line[40] === ' ') refs.set(line.slice(41), id);
  }
  return refs;
}

/** The same text without one ref and what belongs to it. */
export function withoutPackedRef(text: string, name: string): string {
  const kept: string[] = [];
  let dropping = false;
  for (const line of text.split('\n')) {
    dropping = line.startsWith('^') ? dropping : isObjectId(line.slice(0, 40)) && line.slice(41) === name;
    if (!dropping) kept.push(line);
  }
  return kept.join('\n');
}

/** Git's rules for names, so that no name leaves `refs/`, ends in another's lock, or means an expression. */
export function isRefName(name: string): boolean {
  if (!name.startsWith('refs/') || name.length > REF_NAME_LIMIT) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.$/u.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/** Longest name that still leaves room for a lock's ending within one path. */
const REF_NAME_LIMIT = 1000;
