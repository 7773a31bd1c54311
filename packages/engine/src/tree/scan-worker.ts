import { parentPort } from 'node:worker_threads';
import { collectTree } from './collect.js';
import { type PackedRules, unpackRules } from './coverage-rules.js';
import type { PackedTree } from './scanned-tree.js';

export type ScanRequest = { readonly id: number; readonly rules: PackedRules };
export type ScanReply =
  | { readonly id: number; readonly kind: 'tree'; readonly tree: PackedTree }
  | { readonly id: number; readonly kind: 'too-many' }
  | { readonly id: number; readonly kind: 'failed'; readonly detail: string };

parentPort?.on('message', (request: ScanRequest) => {
  const reply = scan(request);
  const transfer = reply.kind === 'tree' ? [reply.tree.flags.buffer, reply.tree.numbers.buffer] : [];
  parentPort?.postMessage(reply, transfer);
});

function scan(request: ScanRequest): ScanReply {
  const { id } = request;
  try {
    const rules = unpackRules(request.rules);
    const tree = collectTree(rules, '', rules.limits.entries);
    return tree === null ? { id, kind: 'too-many' } : { id, kind: 'tree', tree };
  } catch (error) {
    return { id, kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
