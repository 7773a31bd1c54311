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

/** The same text with these refs set or, where there is no id, left out; what belongs to the others stays with them. */
export function withPackedRefs(text: string, changes: ReadonlyMap<string, ObjectId | null>): string {
  const lines = new Map<string, string>();
  let name: string | null = null;
  for (const line of text.split('\n')) {
    if (isObjectId(line.slice(0, 40)) && line[40] === ' ') {
      name = line.slice(41);
      lines.set(name, line);
    } else if (line.startsWith('^') && name !== null) {
      lines.set(name, `${lines.get(name)}\n${line}`);
    }
  }
  for (const [changed, id] of changes) {
    if (id === null) lines.delete(changed);
    else lines.set(changed, `${id} ${changed}`);
  }
  const sorted = [...lines].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  // Git trusts this header. Which tags were peeled is not known here, so it says nothing about that.
  return ['# pack-refs with: sorted ', ...sorted.map(([, line]) => line), ''].join('\n');
}

/** Git's rules for names, so that no name leaves `refs/`, ends in another's lock, or means an expression. */
export function isRefName(name: string): boolean {
  if (!name.startsWith('refs/') || name.length > REF_NAME_LIMIT) return false;
  if (/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.$/u.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/** Longest name that still leaves room for a lock's ending within one path. */
const REF_NAME_LIMIT = 1000;
