import type { PatchHunk } from './hunks.js';
import type { PatchSection } from './patch-section.js';

/**
 * The `*** Begin Patch` format of Codex, wholly: Add, Update (with Move to, `@@` contexts, End of File) and Delete.
 * The text may be wrapped in a heredoc. Null where it is not in this format or breaks its rules, because the tool then
 * refuses it and writes nothing.
 */
export function parseBeginPatch(text: string): readonly PatchSection[] | null {
  const lines = text.replace(/\r\n/g, '\n').split('\n');
  const first = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const last = lines.findLastIndex((line) => line.trim() === '*** End Patch');
  if (first < 0 || last < first) return null;
  const body = lines.slice(first + 1, last);
  const sections: PatchSection[] = [];
  for (let at = 0; at < body.length; ) {
    const parsed = parseSection(body, at);
    if (parsed === null) return null;
    if (parsed.section !== null) sections.push(parsed.section);
    at = parsed.next;
  }
  return sections;
}

type Parsed = { readonly section: PatchSection | null; readonly next: number };

function parseSection(lines: readonly string[], at: number): Parsed | null {
  const header = (lines[at] ?? '').trim();
  const matched = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(header);
  if (matched === null) {
    return header === '' || header.startsWith('*** Environment ID:') ? { section: null, next: at + 1 } : null;
  }
  const path = matched[2] ?? '';
  const end = endOfSection(lines, at + 1);
  const body = lines.slice(at + 1, end);
  if (matched[1] === 'Delete') return { section: { kind: 'delete', path }, next: at + 1 };
  const section = matched[1] === 'Add' ? parseAdd(path, body) : parseUpdate(path, body);
  return section === null ? null : { section, next: end };
}

function endOfSection(lines: readonly string[], from: number): number {
  const end = lines.findIndex((line, index) => index >= from && /^\s*\*\*\* (Add|Delete|Update) File: /.test(line));
  return end < 0 ? lines.length : end;
}

function parseAdd(path: string, lines: readonly string[]): PatchSection | null {
  const text: string[] = [];
  for (const line of lines) {
    if (line.startsWith('+')) text.push(`${line.slice(1)}\n`);
    else if (line.trim() !== '') return null;
  }
  return { kind: 'add', path, text: text.join('') };
}

function parseUpdate(path: string, lines: readonly string[]): PatchSection | null {
  const move = /^\*\*\* Move to: (.+)$/.exec((lines[0] ?? '').trim());
  const hunks = parseHunks(move === null ? lines : lines.slice(1));
  if (hunks === null || (hunks.length === 0 && move === null)) return null;
  const section = { kind: 'update', path, ending: 'terminated', hunks } as const;
  return move === null ? section : { ...section, moveTo: move[1] ?? '' };
}

type Draft = { contexts: string[]; old: string[]; new: string[]; atEnd?: true };

function parseHunks(lines: readonly string[]): readonly PatchHunk[] | null {
  const hunks: Draft[] = [];
  for (const [index, line] of lines.entries()) {
    const open = hunks.at(-1);
    if (line.startsWith('@@')) {
      const context = line.slice(2).replace(/^ /, '');
      const stacked = open !== undefined && open.old.length === 0 && open.new.length === 0;
      const hunk = stacked ? open : startHunk(hunks);
      if (context.trim() !== '') hunk.contexts.push(`${context}\n`);
      continue;
    }
    if (line.trim() === '*** End of File') {
      if (open === undefined) return null;
      open.atEnd = true;
      continue;
    }
    if (line === '' && index === lines.length - 1) continue;
    if (!addLine(open === undefined || open.atEnd === true ? startHunk(hunks) : open, line)) return null;
  }
  return hunks.filter((hunk) => hunk.old.length > 0 || hunk.new.length > 0);
}

function startHunk(hunks: Draft[]): Draft {
  const hunk: Draft = { contexts: [], old: [], new: [] };
  hunks.push(hunk);
  return hunk;
}

function addLine(hunk: Draft, line: string): boolean {
  const text = `${line.slice(1)}\n`;
  if (line === '' || line.startsWith(' ')) {
    hunk.old.push(text);
    hunk.new.push(text);
  } else if (line.startsWith('-')) hunk.old.push(text);
  else if (line.startsWith('+')) hunk.new.push(text);
  else return false;
  return true;
}
