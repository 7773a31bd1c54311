import {
  type Attribution,
  asCallId,
  asPath,
  asSessionId,
  checkpointId,
  type FileVersion,
  failed,
  HISTORY_KINDS,
  livesOf,
  ok,
  type ReviewEntry,
  type Seq,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import { planKeepMine } from '../checkpoint/keep-mine.js';
import { takenBackBy } from '../checkpoint/restorer.js';
import { memoryContent } from '../content/memory-content.fixture.js';
import { memoryLog } from '../log/memory-log.fixture.js';
import { Recorder } from '../look/recorder.js';
import { KnownTree, versionOf } from '../store/known-tree.js';
import { LiveLog } from '../store/live-log.js';
import { Views } from '../store/views.js';
import type { Disk } from '../tree/disk.js';
import { Writer } from '../write/writer.js';
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
  readonly #files = new Map<WorkspacePath, MemoryFile>();
  #live = new LiveLog(this.#log, new Views(this.#log), () => 0, fail);
  #known = new KnownTree();
  #calls = 0;
  #inodes = 0;
  #writer!: Writer;
  #reviewer = this.#build();

  get verbs(): ReviewVerbs {
    return this.#reviewer;
  }

  text(path: string): string | null {
    const file = this.#files.get(asPath(path));
    return file === undefined ? null : decoder.decode(file.bytes);
  }

  async human(path: string, text: string | null): Promise<void> {
    await this.act(null, () => this.write(path, text));
  }

  async agent(session: string, path: string, text: string | null): Promise<void> {
    await this.act(session, () => this.write(path, text));
  }

  /** Whatever `act` does to the files is one call of the session, or a person's doing; says which call. */
  async act(session: string | null, act: () => void): Promise<string> {
    this.#calls += 1;
    const call = asCallId(`call-${this.#calls}`);
    const before = new Map(this.#files);
    act();
    const paths = [...new Set([...before.keys(), ...this.#files.keys()])];
    const chains = [];
    for (const path of paths) {
      const [old, next] = [before.get(path), this.#files.get(path)];
      if (old === next) continue;
      const known = versionOf(this.#known.get(path));
      const after = next === undefined ? null : await this.#versionOf(next);
      const inodes = { before: old?.ino ?? 0, after: next?.ino ?? 0 };
      if (!sameVersion(known, after))
        chains.push([{ path, before: known, after, attribution: attributionOf(session, call), inodes }]);
    }
    const recording = await new Recorder(this.#content, this.#known, 1_000, null).prepare(chains, () => ({}));
    const { bodies, files, gone } = recording;
    this.#live.append(bodies, recording);
    for (const state of files) this.#known.set(state);
    for (const path of gone) this.#known.delete(path);
    return call;
  }

  rename(from: string, to: string): void {
    const file = this.#files.get(asPath(from));
    if (file === undefined) throw new Error(`there is no ${from}`);
    this.#files.delete(asPath(from));
    this.#files.set(asPath(to), { ...file });
  }

  chmod(path: string): void {
    const file = this.#files.get(asPath(path))!;
    this.#files.set(asPath(path), { ...file, mode: file.mode === '100644' ? '100755' : '100644' });
  }

  /** As an editor writes: in place. */
  write(path: string, text: string | null): void {
    const known = this.#files.get(asPath(path));
    if (text === null) this.#files.delete(asPath(path));
    else {
      const ino = known?.ino ?? this.#nextInode();
      this.#files.set(asPath(path), { bytes: encoder.encode(text), mode: known?.mode ?? '100644', ino });
    }
  }

  paths(): readonly string[] {
    return [...this.#files.keys()].sort();
  }

  get last(): Seq | 0 {
    return this.#log.last;
  }

  /** As `restore --keep-mine` does it, to the moment after `since`. */
  async keepMine(since: Seq | 0) {
    const lives = livesOf(this.#log.find({ kinds: HISTORY_KINDS, since }));
    const planned = await planKeepMine('/nonexistent', lives, () => true, {
      known: this.#known,
      content: this.#content,
      log: this.#log,
    });
    const takenBack = takenBackBy(planned.files, since, this.#live.views.review);
    const id = checkpointId(1 as Seq);
    const body = { kind: 'restored', checkpoint: id, rescue: id, mode: 'files', way: 'keep-mine', files: [] } as const;
    const done = await this.#writer.apply(planned.files, { ...body, takenBack }, planned.texts);
    if (!done.ok) throw new Error(JSON.stringify(done.error));
    return planned;
  }

  async #versionOf({ bytes, mode }: MemoryFile): Promise<FileVersion> {
    return { content: await this.#content.put(bytes), mode, size: bytes.length };
  }

  #nextInode(): number {
    this.#inodes += 1;
    return this.#inodes;
  }

  async entries(): Promise<readonly ReviewEntry[]> {
    return [...this.#live.views.review.entries.values()];
  }

  /** Everything but the log, the content and the files is built again, from a stored view every other time. */
  async restart(): Promise<void> {
    if (this.#log.last % 2 === 0) this.#live.views.store();
    this.#live = new LiveLog(this.#log, new Views(this.#log), () => 0, fail);
    this.#known = new KnownTree();
    for (const state of this.#log.files.all()) this.#known.set(state);
    this.#reviewer = this.#build();
  }

  async close(): Promise<void> {
    this.#log.close();
  }

  #build(): Reviewer {
    const parts = { content: this.#content, known: this.#known, live: this.#live };
    this.#writer = new Writer({
      place: null,
      ...parts,
      disk: this.#disk(),
      isAhead: () => false,
      wrote: () => undefined,
      remark: fail,
    });
    return new Reviewer({ place: null, ...parts, writer: this.#writer, locate: (path) => ok(asPath(path)) }, (task) =>
      task(),
    );
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
        else this.#files.set(path, { bytes: next.bytes, mode: next.mode, ino: this.#nextInode() });
        const stat = next === null ? null : { ...NO_STAT, mode: next.mode, size: next.bytes.length };
        return ok({ stat, madeFolders: [] });
      },
    };
  }
}

type MemoryFile = { readonly bytes: Uint8Array; readonly mode: FileVersion['mode']; readonly ino: number };

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NO_STAT = { mtimeMs: -1, ctimeMs: -1, ino: 0 };

function fail(error: unknown): never {
  throw error;
}

function attributionOf(session: string | null, call: ReturnType<typeof asCallId>): Attribution {
  if (session === null) return { author: { kind: 'human' }, evidence: 'inferred' };
  const author = { kind: 'agent', session: asSessionId(session), agent: 'test', call, tool: 'Edit' } as const;
  return { author, evidence: 'exact' };
}
