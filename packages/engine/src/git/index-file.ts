import { failed, type Outcome, ok, trustPath, type WorkspacePath } from '@palimpsest/core';
import { readBounded } from './bounded-read.js';
import { decodeName } from './names.js';
import type { ObjectId } from './object-id.js';

/** One entry of the user's index. Paths are relative to the top of their working tree. */
export type IndexEntry = {
  readonly path: WorkspacePath;
  /** Octal, as git prints it: `100644`, `100755`, `120000`, `160000`. */
  readonly mode: string;
  readonly oid: ObjectId;
  /** 0, or 1 to 3 for the sides of an unresolved merge. */
  readonly stage: number;
  /** Of the file when git last looked, modulo 2^32. */
  readonly size: number;
  /** Computed as fs.Stats computes it, so that equal times are equal numbers. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Modulo 2^32. */
  readonly ino: number;
  readonly assumeValid: boolean;
  readonly skipWorktree: boolean;
  readonly intentToAdd: boolean;
  /** Where in the file it begins. */
  readonly at: number;
};

/** An index in memory: the bytes, and what they say. */
export type ParsedIndex = {
  readonly bytes: Buffer;
  readonly entries: readonly IndexEntry[];
  /** Where the entries end and the extensions begin. */
  readonly end: number;
};

type IndexFile = ParsedIndex & {
  /** An entry whose mtime is not older than this may have changed after git looked. */
  readonly mtimeMs: number;
};

/** `unsupported`: a form we do not read; the caller hashes the files instead. */
type IndexError =
  | { readonly code: 'missing' }
  | { readonly code: 'unsupported'; readonly what: string }
  | { readonly code: 'damaged'; readonly detail: string };

/** Some millions of files. */
const INDEX_FILE_LIMIT_BYTES = 1024 * 1024 * 1024;

export async function readIndexFile(path: string): Promise<Outcome<IndexFile, IndexError>> {
  const file = await readBounded(path, INDEX_FILE_LIMIT_BYTES);
  if (file.kind === 'absent') return failed({ code: 'missing' });
  if (file.kind === 'refused') return failed({ code: 'unsupported', what: file.why });
  const parsed = parseIndex(file.bytes);
  return parsed.ok ? ok({ ...parsed.value, mtimeMs: file.mtimeMs }) : parsed;
}

/** The checksum is not compared: it takes longer than the rest, and what an entry says of a file is compared later. */
export function parseIndex(data: Buffer): Outcome<ParsedIndex, IndexError> {
  const end = data.length - ID_BYTES;
  if (end < HEADER_BYTES || data.readUInt32BE(0) !== SIGNATURE) return damaged('not an index');
  const version = data.readUInt32BE(4);
  if (version < 2 || version > 4) return failed({ code: 'unsupported', what: `version ${version}` });
  const read = readEntries(data, end, version);
  if (!read.ok) return read;
  const unsupported = unsupportedExtension(data, read.value.next, end);
  if (unsupported !== null) return unsupported;
  return ok({ bytes: data, entries: read.value.entries, end: read.value.next });
}

const SIGNATURE = 0x44495243; // DIRC
const HEADER_BYTES = 12;
const DOT = 0x2e;
const SLASH = 0x2f;
const ID_BYTES = 20;
/** Ten numbers of four bytes, the id, the flags. */
const FIXED_BYTES = 62;
const ASSUME_VALID = 0x8000;
const EXTENDED = 0x4000;
const STAGE_SHIFT = 12;
const NAME_LENGTH = 0x0fff;
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;

type Read = { readonly entries: readonly IndexEntry[]; readonly next: number };

function readEntries(data: Buffer, end: number, version: number): Outcome<Read, IndexError> {
  const count = data.readUInt32BE(8);
  if (count * FIXED_BYTES > data.length) return damaged(`${count} entries in ${data.length} bytes`);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const readName = version === 4 ? compressedNames(data, end) : plainNames(data, end);
  const entries: IndexEntry[] = [];
  let at = HEADER_BYTES;
  for (let n = 0; n < count; n++) {
    if (at + FIXED_BYTES > end) return damaged(`entry ${n} is cut short`);
    const flags = view.getUint16(at + 60);
    const isExtended = (flags & EXTENDED) !== 0;
    const more = isExtended ? view.getUint16(at + 62) : 0;
    const name = readName(at, at + (isExtended ? FIXED_BYTES + 2 : FIXED_BYTES), flags & NAME_LENGTH);
    const mode = view.getUint32(at + 24);
    if (name?.path === '') return failed({ code: 'unsupported', what: 'split index' });
    if (mode === 0o40000) return failed({ code: 'unsupported', what: 'sparse directories' });
    if (name === null || leavesTree(name.path)) return damaged(`the name of entry ${n}`);
    entries.push({
      path: trustPath(name.path),
      mode: modeText(mode),
      oid: data.toString('hex', at + 40, at + 60),
      stage: (flags >> STAGE_SHIFT) & 3,
      size: view.getUint32(at + 36),
      mtimeMs: view.getUint32(at + 8) * 1000 + view.getUint32(at + 12) / 1e6,
      ctimeMs: view.getUint32(at) * 1000 + view.getUint32(at + 4) / 1e6,
      ino: view.getUint32(at + 20),
      assumeValid: (flags & ASSUME_VALID) !== 0,
      skipWorktree: (more & SKIP_WORKTREE) !== 0,
      intentToAdd: (more & INTENT_TO_ADD) !== 0,
      at,
    });
    at = name.next;
  }
  return at <= end ? ok({ entries, next: at }) : damaged('entries run into the checksum');
}

type Name = { readonly path: string; readonly next: number };
/** Null when the name is cut short. */
type NameReader = (entryAt: number, nameAt: number, shortLength: number) => Name | null;

/** Versions 2 and 3: the whole name, then one to eight NULs up to a multiple of eight. */
function plainNames(data: Buffer, end: number): NameReader {
  return (entryAt, nameAt, shortLength) => {
    const nul = shortLength < NAME_LENGTH ? nameAt + shortLength : data.indexOf(0, nameAt);
    if (nul < 0 || nul >= end || data[nul] !== 0) return null;
    return { path: textOf(data, nameAt, nul), next: entryAt + ((nul - entryAt + 8) & ~7) };
  };
}

/** Version 4: how much of the name before to drop, then what to add to it. */
function compressedNames(data: Buffer, end: number): NameReader {
  let current = Buffer.alloc(4096);
  let length = 0;
  return (_entryAt, nameAt) => {
    const strip = readStrip(data, nameAt);
    const nul = data.indexOf(0, strip.next);
    if (nul < 0 || nul >= end || strip.value > length) return null;
    const kept = length - strip.value;
    length = kept + (nul - strip.next);
    if (length > current.length) current = Buffer.concat([current], length * 2);
    data.copy(current, kept, strip.next, nul);
    return { path: textOf(current, 0, length), next: nul + 1 };
  };
}

/** The replacement character shows that some bytes were no UTF-8, or that the name really contains it. */
function textOf(data: Buffer, start: number, end: number): string {
  const text = data.toString('utf8', start, end);
  return text.includes('\ufffd') ? decodeName(data.subarray(start, end)) : text;
}

/** Git never writes such a name; someone who wants us to look elsewhere might. */
function leavesTree(path: string): boolean {
  if (path === '') return false;
  // Nearly all names pass here, without the cost of the expression.
  const first = path.charCodeAt(0);
  const isPlain =
    first !== DOT && first !== SLASH && !path.includes('/.') && !path.includes('//') && !path.endsWith('/');
  return !isPlain && /(^|\/)(\.\.?|\.git|)(\/|$)/.test(path);
}

/** How many bytes of the name before are dropped: seven bits at a time, highest first, each further byte adding one. */
function readStrip(data: Buffer, start: number): { readonly value: number; readonly next: number } {
  let at = start;
  let byte = data[at++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at - start < 8) {
    byte = data[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}

/** Extensions with a small first letter change what the entries mean. */
function unsupportedExtension(data: Buffer, start: number, end: number) {
  let at = start;
  while (at + 8 <= end) {
    const name = data.toString('latin1', at, at + 4);
    if (name === 'link') return failed({ code: 'unsupported' as const, what: 'split index' });
    if (name === 'sdir') return failed({ code: 'unsupported' as const, what: 'sparse directories' });
    if (/^[a-z]/.test(name)) return failed({ code: 'unsupported' as const, what: `extension ${name}` });
    at += 8 + data.readUInt32BE(at + 4);
  }
  return at === end ? null : damaged('extensions run into the checksum');
}

function modeText(mode: number): string {
  switch (mode) {
    case 0o100644:
      return '100644';
    case 0o100755:
      return '100755';
    case 0o120000:
      return '120000';
    case 0o160000:
      return '160000';
    default:
      return mode.toString(8);
  }
}

function damaged(detail: string): { readonly ok: false; readonly error: IndexError } {
  return failed({ code: 'damaged', detail });
}
