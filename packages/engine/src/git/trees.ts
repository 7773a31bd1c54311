import { failed, type Outcome, ok } from '@palimpsest/core';
import { decodeName, encodeName, writeName } from './names.js';
import type { ObjectId } from './object-id.js';

/** `40000` is a folder and `160000` a nested repository's commit; the rest are files. */
type TreeMode = '40000' | '100644' | '100755' | '120000' | '160000';

export type TreeEntry = { readonly mode: TreeMode; readonly name: string; readonly id: ObjectId };

export type Commit = {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** `Name <address>`, used for author and committer alike. */
  readonly author: string;
  /** Whole seconds since 1970; the zone written is always UTC. */
  readonly timeSeconds: number;
  readonly message: string;
};

type ObjectShapeError = { readonly code: 'malformed'; readonly detail: string };

/** Entries may come in any order. A name that no tree may hold is a bug of the caller, and throws. */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  if (byName.size < entries.length) throw new Error('two entries of one name in one tree');
  return encodeOrdered(treeOrder(entries).map((name) => byName.get(name) as TreeEntry));
}

/** The names in the order that git wants: by their bytes, a folder as if its name ended in a slash. */
export function treeOrder(entries: Iterable<Pick<TreeEntry, 'name' | 'mode'>>): string[] {
  const rows = Array.from(entries, ({ name, mode }) => {
    checkName(name);
    return { name, key: encodeName(mode === '40000' ? `${name}/` : name) };
  });
  return rows.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ name }) => name);
}

/** For entries that are in order already. */
export function encodeOrdered(entries: Iterable<TreeEntry>): Buffer {
  let at = 0;
  for (const { mode, name, id } of entries) {
    const room = at + name.length * UTF8_BYTES_PER_UNIT + ROW_BYTES;
    if (room > scratch.length) scratch = Buffer.concat([scratch], Math.max(scratch.length * 2, room));
    at += scratch.write(mode, at, 'latin1');
    scratch[at++] = SPACE;
    at += writeName(scratch, name, at);
    scratch[at++] = 0;
    if (scratch.write(id, at, ID_BYTES, 'hex') !== ID_BYTES || id.length !== 2 * ID_BYTES)
      throw new Error(`not an object id in a tree: ${JSON.stringify(id)}`);
    at += ID_BYTES;
  }
  return Buffer.from(scratch.subarray(0, at));
}

/** Where trees are put together; nothing in it outlives the call. */
let scratch = Buffer.alloc(64 * 1024);

export function parseTree(bytes: Uint8Array): Outcome<readonly TreeEntry[], ObjectShapeError> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < data.length) {
    const space = data.indexOf(0x20, at);
    const nul = data.indexOf(0, space + 1);
    if (space < 0 || nul < 0 || nul + 1 + ID_BYTES > data.length) return malformed(`tree cut short at byte ${at}`);
    const mode = treeMode(data.toString('latin1', at, space));
    if (mode === null) return malformed(`mode ${data.toString('latin1', at, space)} in a tree`);
    entries.push({
      mode,
      name: decodeName(data.subarray(space + 1, nul)),
      id: data.toString('hex', nul + 1, nul + 1 + ID_BYTES),
    });
    at = nul + 1 + ID_BYTES;
  }
  return ok(entries);
}

export function encodeCommit(commit: Commit): Buffer {
  if (!/^[^<>\n\0]* <[^<>\n\0]*>$/.test(commit.author))
    throw new Error(`not an author line: ${JSON.stringify(commit.author)}`);
  const signature = `${commit.author} ${Math.max(0, Math.trunc(commit.timeSeconds))} +0000`;
  const head = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${signature}`,
    `committer ${signature}`,
  ];
  // Git reads a message up to its first NUL; the replacement character keeps the rest readable.
  const message = commit.message.replaceAll('\0', '\ufffd');
  return Buffer.from(`${head.join('\n')}\n\n${message}${message.endsWith('\n') ? '' : '\n'}`, 'utf8');
}

export function parseCommit(bytes: Uint8Array): Outcome<Commit, ObjectShapeError> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const blank = text.indexOf('\n\n');
  const header = (blank < 0 ? text : text.slice(0, blank)).split('\n');
  const tree = header[0]?.match(/^tree ([0-9a-f]{40})$/)?.[1];
  if (tree === undefined) return malformed('commit without a tree');
  const parents = header.flatMap((line) => line.match(/^parent ([0-9a-f]{40})$/)?.[1] ?? []);
  const author = header.flatMap((line) => {
    const match = line.match(/^author (.*<.*>) (\d+) [+-]\d{4}$/);
    return match === null ? [] : [{ author: match[1] ?? '', timeSeconds: Number(match[2]) }];
  })[0];
  if (author === undefined) return malformed('commit without an author');
  return ok({ tree, parents, ...author, message: blank < 0 ? '' : text.slice(blank + 2) });
}

const ID_BYTES = 20;
const SPACE = 0x20;
/** Mode, space, NUL and id. */
const ROW_BYTES = 6 + 1 + 1 + ID_BYTES;
const UTF8_BYTES_PER_UNIT = 3;

function checkName(name: string): void {
  const bad = name === '' || name === '.' || name === '..' || name === '.git' || /[/\0]/.test(name);
  if (bad) throw new Error(`not a name for a tree: ${JSON.stringify(name)}`);
}

/** Old programs wrote `100664` and padded folders; git reads them as the plain modes, and so do we. */
function treeMode(text: string): TreeMode | null {
  switch (text) {
    case '40000':
    case '100644':
    case '100755':
    case '120000':
    case '160000':
      return text;
    case '040000':
      return '40000';
    case '100664':
      return '100644';
    default:
      return null;
  }
}

function malformed(detail: string): { readonly ok: false; readonly error: ObjectShapeError } {
  return failed({ code: 'malformed', detail });
}
