import { readGitNames, readHeaderName } from '../lines/patch-name.js';
import { encodeUtf8 } from '../lines/utf8.js';
import { type PatchHunk, splitLines } from './hunks.js';
import type { PatchSection } from './patch-section.js';
import { readHunk } from './unified-hunk.js';

/**
 * Unified diffs of one or more files, plain or with git's extended headers. Text before and between files (a commit
 * message, a signature) is passed over; within a hunk every line must be accounted for by the counts in its header. Null
 * for text that is no such diff, or a malformed one.
 */
export function parseUnifiedDiff(text: string): readonly PatchSection[] | null {
  return text.includes('--- ') || text.includes('diff --git ') ? readSections(splitLines(text)) : null;
}

/** The hunks of a diff that may lack file headers, for tools that name the file beside the diff. */
export function parseBareHunks(text: string): readonly PatchHunk[] | null {
  const start = text.search(/^@@ -/m);
  if (start < 0) return null;
  const ended = text.endsWith('\n') ? text.slice(start) : `${text.slice(start)}\n`;
  const first = readSections(splitLines(`--- a/file\n+++ b/file\n${ended}`))?.[0];
  return first?.kind === 'update' ? first.hunks : null;
}

/** What the headers of a file have said so far. */
type Draft = {
  readonly style: 'git' | 'plain';
  kind: 'modify' | 'create' | 'delete' | 'rename' | 'copy';
  /** Undefined until named; null is /dev/null. */
  oldPath: string | null | undefined;
  newPath: string | null | undefined;
  binary: boolean;
  readonly hunks: PatchHunk[];
};

function readSections(lines: readonly string[]): readonly PatchSection[] | null {
  const files: Draft[] = [];
  for (let at = 0; at < lines.length; ) {
    const header = headerAt(lines, at);
    const file = files.at(-1);
    if (header.startsWith('diff --git ')) {
      files.push(gitFile(header));
      at += 1;
    } else if (header.startsWith('--- ') && headerAt(lines, at + 1).startsWith('+++ ')) {
      const goesOn = file?.style === 'git' && file.hunks.length === 0;
      if (!goesOn) files.push(newDraft('plain'));
      if (!setSides(files.at(-1)!, nameIn(header, 4), nameIn(headerAt(lines, at + 1), 4))) return null;
      at += 2;
    } else if (header.startsWith('@@ -')) {
      const read = file === undefined ? null : readHunk(lines, at);
      if (read === null) return null;
      file!.hunks.push(read.hunk);
      at = read.next;
    } else {
      if (file?.hunks.length === 0 && !readExtended(file, header)) return null;
      at += 1;
    }
  }
  const sections = files.flatMap((file) => sectionOf(file) ?? []);
  return files.length > 0 && sections.length === files.length ? sections : null;
}

/** A header without its terminator. A CR there came with the patch's journey: in a name git would have quoted it. */
function headerAt(lines: readonly string[], at: number): string {
  return (lines[at] ?? '').replace(/\r?\n$|\r$/, '');
}

function nameIn(header: string, from: number): string | null {
  return readHeaderName(encodeUtf8(header.slice(from)));
}

function newDraft(style: Draft['style']): Draft {
  return { style, kind: 'modify', oldPath: undefined, newPath: undefined, binary: false, hunks: [] };
}

function gitFile(header: string): Draft {
  const names = readGitNames(encodeUtf8(header.slice('diff --git '.length)));
  return { ...newDraft('git'), oldPath: names?.oldName, newPath: names?.newName };
}

function setSides(file: Draft, oldName: string | null, newName: string | null): boolean {
  file.oldPath = oldName === DEV_NULL ? null : oldName;
  file.newPath = newName === DEV_NULL ? null : newName;
  return oldName !== null && newName !== null;
}

/** False for a header that cannot be read; what is no header at all is passed over. */
function readExtended(file: Draft, header: string): boolean {
  const mode = MODE.exec(header);
  if (mode?.[1] === 'new file') file.kind = 'create';
  if (mode?.[1] === 'deleted file') file.kind = 'delete';
  if (mode !== null) return MODES.has(mode[2]!);
  if (header.startsWith('Binary files ') || header.startsWith('GIT binary patch')) file.binary = true;
  const moved = MOVED.exec(header);
  if (moved === null) return true;
  const [side, prefix] = moved[2] === 'from' ? (['oldPath', 'a/'] as const) : (['newPath', 'b/'] as const);
  const name = nameIn(header, moved[0].length);
  file.kind = moved[1] as 'rename' | 'copy';
  // These have no `a/` or `b/`; they are given one, so that all names are stripped alike.
  file[side] = `${prefix}${name}`;
  return name !== null;
}

const DEV_NULL = '/dev/null';
const MODE = /^(old|new|new file|deleted file) mode (.*)$/;
const MODES: ReadonlySet<string> = new Set(['100644', '100755', '120000']);
const MOVED = /^(rename|copy) (from|to) /;

/** Null for a file without a name. */
function sectionOf(file: Draft): PatchSection | null {
  const { oldPath, newPath } = stripPrefixes(file);
  if (oldPath === undefined || newPath === undefined) return null;
  const kind = oldPath === null ? 'create' : newPath === null ? 'delete' : file.kind;
  const path = (kind === 'create' ? null : oldPath) ?? newPath;
  if (path === null) return null;
  const hunks = file.binary ? null : file.hunks;
  const update = { kind: 'update', path, ending: 'exact', hunks } as const;
  if (kind === 'delete') return { kind: 'delete', path };
  if (kind === 'create' && hunks !== null)
    return { kind: 'add', path, text: hunks.flatMap((hunk) => hunk.new).join('') };
  if (newPath === null || newPath === path) return update;
  // `--- a.orig` beside `+++ a` names one file twice, unless git says that it moved.
  if (kind === 'modify') return { ...update, path: newPath };
  return { ...update, moveTo: newPath, ...(kind === 'copy' ? { copy: true as const } : {}) };
}

/** Takes off git's prefixes if both names have them; a patch made without them keeps its names whole. */
function stripPrefixes({ oldPath, newPath }: Draft): Pick<Draft, 'oldPath' | 'newPath'> {
  const oldHas = typeof oldPath !== 'string' || oldPath.startsWith('a/');
  const newHas = typeof newPath !== 'string' || newPath.startsWith('b/');
  if (!oldHas || !newHas) return { oldPath, newPath };
  return { oldPath: oldPath?.slice(2) ?? oldPath, newPath: newPath?.slice(2) ?? newPath };
}
