import { type ByteText, bytesToText, encodeText, textToBytes } from '../lines/byte-text.js';
import { unreachable } from '../outcome.js';
import { joinRanges, type LineRange } from '../ranges.js';
import { applyHunks, type FinalNewline, type Matching, type PatchHunk, splitLines } from './hunks.js';

/**
 * What a tool is about to do to one file, said so exactly that the bytes afterwards can be computed from the bytes
 * before: a file that holds just those bytes was written by that call.
 */
export type Effect =
  | { readonly kind: 'replace-all-content'; readonly text: string }
  | { readonly kind: 'replace'; readonly edits: readonly Replacement[] }
  /** After line `line`; 0 is the top of the file, a line beyond the last its end. */
  | { readonly kind: 'insert'; readonly line: number; readonly text: string }
  /** With `from`, the file is new and the patch applies to the bytes of that other file. */
  | {
      readonly kind: 'patch';
      readonly hunks: readonly PatchHunk[];
      readonly ending: FinalNewline;
      readonly from?: string;
    }
  | { readonly kind: 'delete' }
  | { readonly kind: 'move'; readonly to: string }
  | { readonly kind: 'steps'; readonly steps: readonly Effect[] };

/** `old` must occur once, or at least once with `all`. An empty `old` means a file that is absent or empty. */
export type Replacement = { readonly old: string; readonly new: string; readonly all: boolean };

type Unproven = 'unproven';

/** The bytes after the effect, null for no file, or `unproven` where the input does not determine them. */
export function effectOn(
  effect: Effect,
  before: Uint8Array | null,
  matching: Matching = 'strict',
): Uint8Array | null | Unproven {
  const text = before === null ? null : bytesToText(before);
  for (const reading of readingsOf(text, matching)) {
    const after = run(effect, text, reading);
    if (after !== FAILED) return after === null ? null : textToBytes(after);
  }
  return 'unproven';
}

/**
 * Whether the effect, as any of the known tools carries it out, makes `after` of `before`. Tools differ in how they treat
 * line endings, a byte order mark and inexact context, so this accepts more than the one answer of `effectOn`.
 */
export function effectGives(effect: Effect, before: Uint8Array | null, after: Uint8Array | null): boolean {
  const text = before === null ? null : bytesToText(before);
  const wanted = after === null ? null : bytesToText(after);
  const readings = [...readingsOf(text, 'strict'), ...readingsOf(text, 'loose')];
  return readings.some((reading) => run(effect, text, reading) === wanted);
}

/**
 * The bytes before a replacement, from those after it, whatever else was changed in the file meanwhile. Only where each
 * new text stands exactly once, and doing the replacement again gives `after`.
 */
export function undoEffect(effect: Effect, after: Uint8Array): Uint8Array | Unproven {
  if (effect.kind !== 'replace') return 'unproven';
  const text = bytesToText(after);
  for (const reading of readingsOf(text, 'strict')) {
    const before = undoReplacements(effect.edits, text, reading);
    if (before === FAILED) continue;
    // The words are read by what the file was before, which only now is known.
    const undone = textToBytes(before);
    if (effectGives(effect, undone, after)) return undone;
  }
  return 'unproven';
}

/** Whether it puts any text into the file: one that does, and leaves an empty file, was seen half-way. */
export function bringsText(effect: Effect): boolean {
  switch (effect.kind) {
    case 'replace-all-content':
    case 'insert':
      return effect.text !== '';
    case 'replace':
      return effect.edits.some((edit) => edit.new !== '');
    case 'patch':
      return effect.hunks.some((hunk) => hunk.new.length > 0);
    case 'delete':
    case 'move':
      return false;
    case 'steps':
      return effect.steps.some(bringsText);
    default:
      return unreachable(effect);
  }
}

/** The lines on which the old texts of replacements stand, as far as they are there before the first is made. */
export function replacedLines(edits: readonly Replacement[], before: Uint8Array): readonly LineRange[] {
  const text = bytesToText(before);
  const ranges: LineRange[] = [];
  for (const old of new Set(
    edits.flatMap((edit) => readingsOf(text, 'strict').map((reading) => spell(edit.old, reading))),
  )) {
    let line = 1;
    let counted = 0;
    for (let at = old === '' ? -1 : text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) {
      line += newlinesIn(text.slice(counted, at));
      counted = at;
      ranges.push({ from: line, to: line + newlinesIn(old.slice(0, -1)) });
    }
  }
  return joinRanges(ranges);
}

function newlinesIn(text: ByteText): number {
  return text.split('\n').length - 1;
}

/** How the words of an effect are to be taken. `file` line endings: LF in the words means the file's own CRLF. */
type Reading = { readonly endings: 'literal' | 'file'; readonly matching: Matching };

const FAILED = Symbol('failed');
type Failed = typeof FAILED;

const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/** Agents send LF also for files with CRLF; their tools write what the file has, if it has but one. */
function readingsOf(text: ByteText | null, matching: Matching): readonly Reading[] {
  const literal = { endings: 'literal', matching } as const;
  if (text === null || !text.includes('\r\n')) return [literal];
  const file = { endings: 'file', matching } as const;
  return isAllCrlf(text) ? [file, literal] : [literal, file];
}

function isAllCrlf(text: ByteText): boolean {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
}

function run(effect: Effect, before: ByteText | null, reading: Reading): ByteText | null | Failed {
  switch (effect.kind) {
    case 'replace-all-content':
      return wholeContent(encodeText(effect.text), before, reading);
    case 'replace':
      return replaceInOrder(effect.edits, before, reading);
    case 'insert':
      return before === null ? FAILED : insertAfter(before, effect.line, spell(effect.text, reading));
    case 'patch':
      return before === null ? FAILED : patchText(effect.hunks, effect.ending, before, reading);
    case 'delete':
    case 'move':
      return before === null ? FAILED : null;
    case 'steps': {
      let text: ByteText | null | Failed = before;
      for (const step of effect.steps) {
        if (text === FAILED) break;
        text = run(step, text, reading);
      }
      return text;
    }
    default:
      return unreachable(effect);
  }
}

/** Written as given; some tools keep the file's byte order mark and line endings, which counts as proof too. */
function wholeContent(text: ByteText, before: ByteText | null, reading: Reading): ByteText {
  if (reading.matching === 'strict' || before === null) return text;
  const mark = before.startsWith(BYTE_ORDER_MARK) && !text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  return mark + (reading.endings === 'file' ? toCrlf(text) : text);
}

function replaceInOrder(edits: readonly Replacement[], before: ByteText | null, reading: Reading): ByteText | Failed {
  let text = before;
  for (const edit of edits) {
    const after = replaceOne(edit, text, reading);
    if (after === FAILED) return FAILED;
    text = after;
  }
  return text ?? FAILED;
}

function replaceOne(edit: Replacement, text: ByteText | null, reading: Reading): ByteText | Failed {
  const words = spell(edit.new, reading);
  if (edit.old === '') return text === null || text === '' ? words : FAILED;
  if (text === null) return FAILED;
  let old = spell(edit.old, reading);
  // One agent's tool takes a removed line's newline along.
  if (reading.matching === 'loose' && words === '' && !old.endsWith('\n') && text.includes(`${old}\n`)) old += '\n';
  if (edit.all) return text.includes(old) ? text.split(old).join(words) : FAILED;
  const at = onlyPlaceOf(old, text);
  return at === null ? FAILED : text.slice(0, at) + words + text.slice(at + old.length);
}

function undoReplacements(edits: readonly Replacement[], after: ByteText, reading: Reading): ByteText | Failed {
  let text = after;
  for (const edit of edits.toReversed()) {
    const words = spell(edit.new, reading);
    const at = words === '' || edit.old === '' ? null : onlyPlaceOf(words, text);
    if (at === null) return FAILED;
    text = text.slice(0, at) + spell(edit.old, reading) + text.slice(at + words.length);
  }
  return text;
}

/** Overlapping places count: in `aaa`, which `aa` was meant is not known. */
function onlyPlaceOf(words: ByteText, text: ByteText): number | null {
  const first = text.indexOf(words);
  return first < 0 || text.indexOf(words, first + 1) >= 0 ? null : first;
}

function insertAfter(before: ByteText, line: number, words: ByteText): ByteText {
  const eol = isAllCrlf(before) ? '\r\n' : '\n';
  const block = words.endsWith('\n') ? words : words + eol;
  const lines = splitLines(before);
  if (line < lines.length) return [...lines.slice(0, line), block, ...lines.slice(line)].join('');
  return before === '' || before.endsWith('\n') ? before + block : before + eol + words;
}

function patchText(
  hunks: readonly PatchHunk[],
  ending: FinalNewline,
  before: ByteText,
  reading: Reading,
): ByteText | Failed {
  const encoded = hunks.map((hunk) => ({
    ...hunk,
    contexts: hunk.contexts.map(encodeText),
    old: hunk.old.map(encodeText),
    new: hunk.new.map(encodeText),
  }));
  const asLf = reading.endings === 'file' && isAllCrlf(before);
  const text = applyHunks(asLf ? before.replaceAll('\r\n', '\n') : before, encoded, ending, reading.matching);
  if (text === null) return FAILED;
  return asLf ? toCrlf(text) : text;
}

function spell(text: string, reading: Reading): ByteText {
  const encoded = encodeText(text);
  return reading.endings === 'file' ? toCrlf(encoded) : encoded;
}

function toCrlf(text: ByteText): ByteText {
  return text.replace(/\r?\n/g, '\r\n');
}
