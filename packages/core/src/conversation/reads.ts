import type { Seq } from '../ids.js';
import type { Reduction } from '../message.js';
import { intentOf } from '../tools/intent.js';
import type { HistoryItem } from './effective-history.js';

/** The part of a file that one call read. */
type Read = { readonly path: string; readonly lines: { readonly from: number; readonly to: number } | null };
type ReadResult = { readonly message: Seq; readonly call: string; readonly reads: readonly Read[] };

/** Results of reads of which every part was read again later: the model has it in front of it twice. */
export function supersededReads(items: readonly HistoryItem[]): readonly Reduction[] {
  const superseded: Reduction[] = [];
  const later = new Map<string, ReadResult[]>();
  for (const result of readResults(items).toReversed()) {
    const { message, call, reads } = result;
    const [first] = reads;
    const again = first === undefined ? [] : (later.get(first.path) ?? []);
    const by = again.findLast((one) => reads.every((read) => one.reads.some((other) => covers(other, read))));
    if (by !== undefined) superseded.push({ type: 'superseded', message, call, by: by.message });
    // One that is superseded itself covers nothing that the later one does not.
    else for (const { path } of reads) later.set(path, [...(later.get(path) ?? []), result]);
  }
  return superseded.reverse();
}

/** In order; only those that succeeded, because a failed read shows nothing. */
function readResults(items: readonly HistoryItem[]): readonly ReadResult[] {
  const asked = new Map<string, readonly Read[]>();
  const results: ReadResult[] = [];
  for (const { seq, message } of items) {
    for (const block of message.blocks) {
      if (block.type === 'tool-call') asked.set(block.call, readsOf(block.tool, block.input));
      if (block.type !== 'tool-result' || block.outcome === 'failed') continue;
      const reads = asked.get(block.call) ?? [];
      if (reads.length > 0) results.push({ message: seq, call: block.call, reads });
    }
  }
  return results;
}

function readsOf(tool: string, input: unknown): readonly Read[] {
  const { action, files } = intentOf(tool, input);
  if (action !== 'read') return [];
  return files.map((file) => ({ path: file.path, lines: 'lines' in file ? (file.lines ?? null) : null }));
}

function covers(later: Read, earlier: Read): boolean {
  if (later.path !== earlier.path) return false;
  if (later.lines === null) return true;
  return earlier.lines !== null && later.lines.from <= earlier.lines.from && later.lines.to >= earlier.lines.to;
}
