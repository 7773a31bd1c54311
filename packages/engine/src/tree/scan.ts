import { realpathSync } from 'node:fs';
import { parse, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import { failed, type Outcome, ok, type WorkspacePath } from '@palimpsest/core';
import { collectTree } from './collect.js';
import { type CoverageRules, packRules } from './coverage-rules.js';
import { LISTED_FOLDER_ENTRIES_LIMIT, SCANNED_HERE_ENTRIES_LIMIT } from './limits.js';
import type { ScanReply, ScanRequest } from './scan-worker.js';
import { ScannedTree } from './scanned-tree.js';
import { lstatAt } from './stat.js';

export type ScanError =
  | { readonly code: 'too-many-files'; readonly root: string; readonly limit: number }
  /** The root of a disk, or a folder that is or holds one that the caller named, such as the home folder. */
  | { readonly code: 'too-wide'; readonly root: string }
  | { readonly code: 'no-folder'; readonly root: string; readonly detail: string }
  | { readonly code: 'scan-failed'; readonly root: string; readonly detail: string };

/**
 * Takes stock of whole workspaces: of small ones in the calling thread, which takes less than starting another, of all others
 * in a thread of its own, which lives until `close`; a later scan starts another.
 */
export type Scanner = {
  scan(rules: CoverageRules): Promise<Outcome<ScannedTree, ScanError>>;
  close(): Promise<void>;
};

/** `tooWide`: folders that are never a workspace, such as the user's home; the root of a disk never is. */
export function openScanner(tooWide: readonly string[] = [], hereUpTo = SCANNED_HERE_ENTRIES_LIMIT): Scanner {
  const waiting = new Map<number, (reply: ScanReply) => void>();
  let running: Worker | null = null;
  let lastId = 0;
  let isSmall = true;

  const failAll = (detail: string): void => {
    for (const [id, answer] of waiting) answer({ id, kind: 'failed', detail });
    waiting.clear();
  };
  const started = (): Worker => {
    if (running !== null) return running;
    // Threads run compiled code only; this path leads there from the sources and from the compiled code alike.
    const worker = new Worker(new URL('../../dist/tree/scan-worker.js', import.meta.url), { execArgv: [] });
    worker.on('message', (reply: ScanReply) => {
      waiting.get(reply.id)?.(reply);
      waiting.delete(reply.id);
      if (waiting.size === 0) worker.unref();
    });
    worker.on('error', (error) => {
      if (running === worker) running = null;
      failAll(error.message);
    });
    running = worker;
    return worker;
  };
  const ask = (rules: CoverageRules): Promise<ScanReply> => {
    const worker = started();
    const request: ScanRequest = { id: ++lastId, rules: packRules(rules) };
    return new Promise((resolve) => {
      waiting.set(request.id, resolve);
      worker.ref();
      worker.postMessage(request);
    });
  };

  return {
    async scan(rules) {
      const { root, limits } = rules;
      const checked = checkRoot(root, tooWide);
      if (!checked.ok) return checked;
      const real = { ...rules, root: checked.value };
      const small = isSmall ? scanHere(real, Math.min(hereUpTo, limits.entries)) : null;
      if (small !== null) return ok(small);
      isSmall = false;
      const reply = await ask(real);
      switch (reply.kind) {
        case 'tree':
          return ok(new ScannedTree(reply.tree));
        case 'too-many':
          return failed({ code: 'too-many-files', root, limit: limits.entries });
        case 'failed':
          return failed({ code: 'scan-failed', root, detail: reply.detail });
      }
    },
    async close() {
      const worker = running;
      running = null;
      await worker?.terminate();
      failAll('the scanner was closed');
    },
  };
}

/** Null when there are more entries than that, or when it cannot be done, of which the thread will tell more. */
function scanHere(rules: CoverageRules, entries: number): ScannedTree | null {
  if (rules.tracked.size > entries) return null;
  try {
    const packed = collectTree(rules, '', entries);
    return packed === null ? null : new ScannedTree(packed);
  } catch {
    return null;
  }
}

/** Covered files below one folder, in the calling thread; null when there are too many for that. */
export function listFolder(rules: CoverageRules, folder: WorkspacePath | ''): ScannedTree | null {
  const packed = collectTree(rules, folder, LISTED_FOLDER_ENTRIES_LIMIT);
  return packed === null ? null : new ScannedTree(packed);
}

/** Says why a folder cannot be a workspace, or gives the place it really is at. */
export function checkRoot(root: string, tooWide: readonly string[]): Outcome<string, ScanError> {
  let real: string;
  try {
    real = realpathSync.native(root);
  } catch (error) {
    return failed({ code: 'no-folder', root, detail: String(error) });
  }
  const stats = lstatAt(real);
  if (typeof stats === 'string' || !stats.isDirectory())
    return failed({ code: 'no-folder', root, detail: 'not a folder' });
  const holdsTooWide = tooWide.some((folder) => `${realOrSame(folder)}${sep}`.startsWith(`${real}${sep}`));
  return real === parse(real).root || holdsTooWide ? failed({ code: 'too-wide', root }) : ok(real);
}

function realOrSame(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
