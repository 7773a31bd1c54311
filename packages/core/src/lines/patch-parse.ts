import type { FileMode } from '../file.js';
import { failed, type Outcome, ok } from '../outcome.js';
import type { FilePatch, PatchHunk } from './patch.js';
import { readHunk } from './patch-hunk.js';
import { readGitNames, readHeaderName } from './patch-name.js';
import { type Lines, sliceLines, splitLines } from './text.js';

export interface MalformedPatch {
  readonly code: 'malformed-patch';
  /** 1-based line of the patch. */
  readonly line: number;
  readonly reason: string;
}

/**
 * Reads a unified diff of one or more files, plain or with git's extended headers. Text before and between files (a commit
 * message, a signature) is passed over; within a hunk every line must be accounted for by the counts in its header.
 */
export function parseUnified(patch: Uint8Array): Outcome<readonly FilePatch[], MalformedPatch> {
  return new PatchReader(splitLines(patch)).read();
}

/** What the headers of a file have said so far. */
interface Draft {
  readonly fromGit: boolean;
  kind: FilePatch['kind'];
  /** Undefined until named; null is /dev/null. */
  oldPath: string | null | undefined;
  newPath: string | null | undefined;
  oldMode?: FileMode;
  newMode?: FileMode;
  binary: boolean;
  readonly hunks: PatchHunk[];
}

class PatchReader {
  readonly #lines: Lines;
  readonly #files: FilePatch[] = [];
  #draft: Draft | null = null;
  #at = 0;
  #fault: MalformedPatch | null = null;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  read(): Outcome<readonly FilePatch[], MalformedPatch> {
    while (this.#at < this.#lines.count && this.#fault === null) this.#readLine();
    this.#finishFile();
    if (this.#files.length === 0 && this.#lines.count > 0) this.#fail(0, 'no file header found');
    return this.#fault === null ? ok(this.#files) : failed(this.#fault);
  }

  #readLine(): void {
    const text = this.#textAt(this.#at);
    if (text.startsWith('diff --git ')) this.#beginGitFile();
    else if (text.startsWith('--- ') && this.#textAt(this.#at + 1).startsWith('+++ ')) this.#readSideNames();
    else if (text.startsWith('@@ -')) this.#readHunk(text);
    else {
      if (this.#draft?.hunks.length === 0) this.#readExtended(this.#draft, text);
      this.#at++;
    }
  }

  #beginGitFile(): void {
    this.#finishFile();
    const names = readGitNames(this.#bytesAt(this.#at).subarray('diff --git '.length));
    this.#draft = newDraft('git');
    this.#draft.oldPath = names?.oldName;
    this.#draft.newPath = names?.newName;
    this.#at++;
  }

  #readSideNames(): void {
    if (this.#draft === null || !this.#draft.fromGit || this.#draft.hunks.length > 0) {
      this.#finishFile();
      this.#draft = newDraft('plain');
    }
    const oldName = readHeaderName(this.#bytesAt(this.#at).subarray(4));
    const newName = readHeaderName(this.#bytesAt(this.#at + 1).subarray(4));
    if (oldName === null || newName === null) {
      this.#fail(this.#at, 'a file name that cannot be read');
      return;
    }
    this.#draft.oldPath = oldName === DEV_NULL ? null : oldName;
    this.#draft.newPath = newName === DEV_NULL ? null : newName;
    this.#at += 2;
  }

  #readHunk(header: string): void {
    if (this.#draft === null) {
      this.#fail(this.#at, 'a hunk without a file');
      return;
    }
    const read = readHunk(this.#lines, this.#at, header);
    if (read.kind === 'malformed') {
      this.#fail(read.line, read.reason);
      return;
    }
    this.#draft.hunks.push(read.hunk);
    this.#at = read.next;
  }

  #readExtended(draft: Draft, text: string): void {
    const entry = EXTENDED.find(([prefix]) => text.startsWith(prefix));
    if (entry === undefined) return;
    const [prefix, apply] = entry;
    if (!apply(draft, text.slice(prefix.length), this.#bytesAt(this.#at).subarray(prefix.length))) {
      this.#fail(this.#at, 'a header that cannot be read');
    }
  }

  #finishFile(): void {
    const draft = this.#draft;
    this.#draft = null;
    if (draft === null || this.#fault !== null) return;
    const { oldPath, newPath } = stripPrefixes(draft);
    if (oldPath === undefined || newPath === undefined || (oldPath === null && newPath === null)) {
      this.#fail(this.#at - 1, 'a file without a name');
      return;
    }
    const kind = oldPath === null ? 'create' : newPath === null ? 'delete' : draft.kind;
    this.#files.push({
      kind,
      oldPath: kind === 'create' ? null : oldPath,
      newPath: kind === 'delete' ? null : newPath,
      ...(draft.oldMode === undefined ? {} : { oldMode: draft.oldMode }),
      ...(draft.newMode === undefined ? {} : { newMode: draft.newMode }),
      binary: draft.binary,
      hunks: draft.hunks,
    });
  }

  #fail(line: number, reason: string): void {
    this.#fault ??= { code: 'malformed-patch', line: line + 1, reason };
  }

  /** A header line without its terminator. A CR there came with the patch's journey: in a name git would have quoted it. */
  #bytesAt(line: number): Uint8Array {
    if (line >= this.#lines.count) return new Uint8Array(0);
    const bytes = sliceLines(this.#lines, line, line + 1);
    let end = bytes.length;
    if (bytes[end - 1] === LF) end--;
    if (bytes[end - 1] === CR) end--;
    return bytes.subarray(0, end);
  }

  /** Header words are ASCII; only as many characters are looked at as they can have. */
  #textAt(line: number): string {
    return String.fromCharCode(...this.#bytesAt(line).subarray(0, HEADER_WORDS_LENGTH));
  }
}

const LF = 0x0a;
const CR = 0x0d;
const DEV_NULL = '/dev/null';
const HEADER_WORDS_LENGTH = 80;
const MODES: ReadonlySet<string> = new Set<FileMode>(['100644', '100755', '120000']);

type ApplyHeader = (draft: Draft, value: string, bytes: Uint8Array) => boolean;

const EXTENDED: readonly (readonly [prefix: string, apply: ApplyHeader])[] = [
  ['old mode ', (draft, value) => setMode(draft, 'oldMode', value)],
  ['new mode ', (draft, value) => setMode(draft, 'newMode', value)],
  [
    'new file mode ',
    (draft, value) => {
      draft.kind = 'create';
      return setMode(draft, 'newMode', value);
    },
  ],
  [
    'deleted file mode ',
    (draft, value) => {
      draft.kind = 'delete';
      return setMode(draft, 'oldMode', value);
    },
  ],
  ['rename from ', (draft, _, bytes) => setPlainName(draft, 'rename', 'oldPath', bytes)],
  ['rename to ', (draft, _, bytes) => setPlainName(draft, 'rename', 'newPath', bytes)],
  ['copy from ', (draft, _, bytes) => setPlainName(draft, 'copy', 'oldPath', bytes)],
  ['copy to ', (draft, _, bytes) => setPlainName(draft, 'copy', 'newPath', bytes)],
  ['Binary files ', setBinary],
  ['GIT binary patch', setBinary],
];

function newDraft(style: 'git' | 'plain'): Draft {
  return {
    fromGit: style === 'git',
    kind: 'modify',
    oldPath: undefined,
    newPath: undefined,
    binary: false,
    hunks: [],
  };
}

function setMode(draft: Draft, side: 'oldMode' | 'newMode', value: string): boolean {
  if (!MODES.has(value)) return false;
  draft[side] = value as FileMode;
  return true;
}

/** Names in rename and copy headers have no `a/` or `b/`; they are given one, so that all names are stripped alike. */
function setPlainName(draft: Draft, kind: 'rename' | 'copy', side: 'oldPath' | 'newPath', bytes: Uint8Array): boolean {
  const name = readHeaderName(bytes);
  if (name === null) return false;
  draft.kind = kind;
  draft[side] = `${side === 'oldPath' ? 'a' : 'b'}/${name}`;
  return true;
}

function setBinary(draft: Draft): boolean {
  draft.binary = true;
  return true;
}

/** Takes off git's prefixes if both names have them; a patch made without them keeps its names whole. */
function stripPrefixes({ oldPath, newPath }: Draft): Pick<Draft, 'oldPath' | 'newPath'> {
  const oldHas = typeof oldPath !== 'string' || oldPath.startsWith('a/');
  const newHas = typeof newPath !== 'string' || newPath.startsWith('b/');
  if (!oldHas || !newHas) return { oldPath, newPath };
  return { oldPath: oldPath?.slice(2) ?? oldPath, newPath: newPath?.slice(2) ?? newPath };
}
