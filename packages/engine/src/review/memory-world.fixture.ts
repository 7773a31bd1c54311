import {
  asCallId,
  asPath,
  asSessionId,
  type FileVersion,
  failed,
  ok,
  type ReviewEntry,
  type WorkspacePath,
} from '@palimpsest/core';
import { memoryContent } from '../content/memory-content.js';
import { Journal } from '../journal.js';
import { KnownTree, versionOf } from '../known-tree.js';
import { memoryLog } from '../log/memory-log.js';
import { measure } from '../measure.js';
import type { Disk } from '../tree/disk.js';
import { Views } from '../views.js';
import { Writer } from '../writer.js';
import { Reviewer, type ReviewVerbs } from './reviewer.js';

/** Where the random test plays: in memory, or in a real workspace on a real disk. */
export interface World {
  readonly verbs: ReviewVerbs;
  text(path: string): string | null;
  /** Null deletes. */
  human(path: string, text: string | null): Promise<void>;
  agent(session: string, path: string, text: string | null): Promise<void>;
  entries(): Promise<readonly ReviewEntry[]>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The log, the views, the writer and the reviewer, over a disk that is a map. */
export class MemoryWorld implements World {
  readonly #log = memoryLog();
  readonly #content = memoryContent();
  readonly #files = new Map<WorkspacePath, { bytes: Uint8Array; mode: FileVersion['mode'] }>();
  #journal = new Journal(this.#log, new Views(this.#log), () => 0, fail);
  #known = new KnownTree();
  #calls = 0;
  #reviewer = this.#build();

  get verbs(): ReviewVerbs {
    return this.#reviewer;
  }

  text(path: string): string | null {
    const file = this.#files.get(asPath(path));
    return file === undefined ? null : decoder.decode(file.bytes);
  }

  human(path: string, text: string | null): Promise<void> {
    return this.#change(path, text, { author: { kind: 'human' }, evidence: 'inferred' });
  }

  agent(session: string, path: string, text: string | null): Promise<void> {
    this.#calls += 1;
    const call = asCallId(`call-${this.#calls}`);
    const author = { kind: 'agent', session: asSessionId(session), agent: 'test', call, tool: 'Edit' } as const;
    return this.#change(path, text, { author, evidence: 'exact' });
  }

  async entries(): Promise<readonly ReviewEntry[]> {
    return [...this.#journal.views.review.entries.values()];
  }

  /** Everything but the log, the content and the files is built again, from a stored view every other time. */
  async restart(): Promise<void> {
    if (this.#log.last % 2 === 0) this.#journal.views.store();
    this.#journal = new Journal(this.#log, new Views(this.#log), () => 0, fail);
    this.#known = new KnownTree();
    for (const state of this.#log.files()) this.#known.set(state);
    this.#reviewer = this.#build();
  }

  async close(): Promise<void> {
    this.#log.close();
  }

  #build(): Reviewer {
    const parts = { content: this.#content, known: this.#known, journal: this.#journal };
    const writer = new Writer({ ...parts, disk: this.#disk(), remark: fail });
    return new Reviewer({ ...parts, writer, locate: (path) => ok(asPath(path)) }, (task) => task());
  }

  async #change(name: string, text: string | null, by: Pick<Changing, 'author' | 'evidence'>): Promise<void> {
    const path = asPath(name);
    const before = versionOf(this.#known.get(path));
    const bytes = text === null ? null : encoder.encode(text);
    const after =
      bytes === null ? null : { content: await this.#content.put(bytes), mode: '100644' as const, size: bytes.length };
    const file = { path, before, after, ...(await measure(this.#content, before, after)) };
    const state = after === null ? null : { ...after, path, ...NO_STAT, kept: true, explicit: false };
    const gone = state === null ? [path] : [];
    this.#journal.append([{ kind: 'changed', ...by, files: [file] }], state === null ? [] : [state], gone);
    if (state === null || bytes === null) {
      this.#known.delete(path);
      this.#files.delete(path);
    } else {
      this.#known.set(state);
      this.#files.set(path, { bytes, mode: '100644' });
    }
  }

  #disk(): Disk {
    const unused = () => Promise.reject(new Error('not used here'));
    return {
      stat: (path) => (this.#files.has(path) ? { ...NO_STAT, mode: '100644', size: 0 } : null),
      read: unused,
      identify: unused,
      clearLeftovers: unused,
      removeEmptyFolders: () => [],
      write: async (path, expected, next, hash) => {
        const current = this.#files.get(path);
        const found = current === undefined ? null : { content: hash(current.bytes), mode: current.mode };
        const same = (found?.content ?? null) === (expected?.content ?? null) && found?.mode === expected?.mode;
        if (!same) return failed({ code: 'conflict', path, found, stat: null });
        if (next === null) this.#files.delete(path);
        else this.#files.set(path, { bytes: next.bytes, mode: next.mode });
        const stat = next === null ? null : { ...NO_STAT, mode: next.mode, size: next.bytes.length };
        return ok({ stat, madeFolders: [] });
      },
    };
  }
}

type Changing = Extract<Parameters<Journal['append']>[0][number], { kind: 'changed' }>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NO_STAT = { mtimeMs: -1, ctimeMs: -1, ino: 0 };

function fail(error: unknown): never {
  throw error;
}
