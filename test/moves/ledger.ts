import { isCovered } from './coverage.js';
import type { Mode, Photograph, Shot } from './photograph.js';
import { must } from './violation.js';

export type Named =
  | { readonly kind: 'agent'; readonly session: string; readonly call: string; readonly tool: string }
  | { readonly kind: 'human' }
  | { readonly kind: 'unknown'; readonly candidates: readonly { readonly session: string; readonly call: string }[] };

/** One recorded change of one file; ours too (a reject, a restore), which then have no author. */
export type Recorded = {
  readonly id: string;
  readonly seq: number;
  readonly kind: string;
  readonly author: Named | null;
  readonly cause: string | null;
  readonly path: string;
  readonly fromPath: string | null;
  readonly before: Shot | null;
  readonly after: Shot | null;
};

type Version = { readonly content: string; readonly mode: Mode };
type FileJson = {
  readonly path: string;
  readonly fromPath?: string;
  readonly before: Version | null;
  readonly after: Version | null;
};
export type OperationJson = {
  readonly seq: number;
  readonly kind: string;
  readonly author?: Named;
  readonly cause?: string;
  readonly files?: readonly FileJson[];
  readonly changes?: readonly { readonly id: string }[];
} & Readonly<Record<string, unknown>>;

/** What a file held was never read: it is said so, and the change cannot be taken back. */
export const NOT_KNOWN = '0'.repeat(40);

const WITH_FILES = new Set(['changed', 'decided', 'resolved', 'restored', 'undone']);

/** What the log says the files are: the chain of every before and after since the first photograph. */
export class Ledger {
  readonly files: Map<string, Shot>;
  readonly changes = new Map<string, Recorded>();
  readonly operations: OperationJson[] = [];
  /** Changes that got another author since somebody asked. */
  readonly attributed: Recorded[] = [];
  #seq = 0;

  constructor(start: Photograph) {
    this.files = new Map([...start.files].filter(([path, shot]) => isCovered(path, shot)));
  }

  get seq(): number {
    return this.#seq;
  }

  /** Takes news from the log, and gives the changes in it. */
  take(operations: readonly OperationJson[]): readonly Recorded[] {
    const taken: Recorded[] = [];
    for (const operation of operations) {
      must(operation.seq > this.#seq, 6, () => `operation ${operation.seq} came after ${this.#seq}`);
      this.#seq = operation.seq;
      this.operations.push(operation);
      if (operation.kind === 'attributed') this.attributed.push(...this.#attribute(operation));
      if (!WITH_FILES.has(operation.kind)) continue;
      taken.push(...this.#apply(operation, operation.files ?? []));
    }
    return taken;
  }

  /** The files of one operation change together: two of them may have swapped their names. */
  #apply(operation: OperationJson, files: readonly FileJson[]): readonly Recorded[] {
    const recorded = files.map((file, index) => this.#record(operation, file, index));
    for (const { path, fromPath } of recorded) this.files.delete(fromPath ?? path);
    for (const { path, after } of recorded) if (after !== null) this.files.set(path, after);
    return recorded;
  }

  #record(operation: OperationJson, file: FileJson, index: number): Recorded {
    const from = file.fromPath ?? file.path;
    const before = shotOf(file.before);
    const after = shotOf(file.after);
    const held = this.files.get(from);
    must(
      (held !== undefined && before?.id === NOT_KNOWN) ||
        (held === undefined && before === null) ||
        // What is left out may come into view for a while; that it did nobody made.
        (held === undefined && before !== null && !isCovered(from, before)) ||
        (held?.id === before?.id && held?.mode === before?.mode),
      2,
      () =>
        `the chain of ${from} is broken at operation ${operation.seq} (${operation.kind}): it held ${shown(held ?? null)} and ${shown(before)} is recorded as before`,
    );
    const recorded: Recorded = {
      id: `c${operation.seq}.${index + 1}`,
      seq: operation.seq,
      kind: operation.kind,
      author: operation.kind === 'changed' ? (operation.author ?? null) : null,
      cause: operation.cause ?? null,
      path: file.path,
      fromPath: file.fromPath ?? null,
      before,
      after,
    };
    this.changes.set(recorded.id, recorded);
    return recorded;
  }

  #attribute(operation: OperationJson): readonly Recorded[] {
    return (operation.changes ?? []).flatMap(({ id }) => {
      const found = this.changes.get(id);
      must(found !== undefined, 2, () => `${id} is attributed and was never recorded`);
      const attributed = { ...found, author: operation.author ?? null };
      this.changes.set(id, attributed);
      return [attributed];
    });
  }

  /** Where the log and the disk tell different stories. */
  complaints(photograph: Photograph): readonly string[] {
    const complaints: string[] = [];
    for (const [path, shot] of photograph.files) {
      if (!isCovered(path, shot)) continue;
      const held = this.files.get(path);
      if (held?.id !== shot.id || held.mode !== shot.mode)
        complaints.push(`${JSON.stringify(path)} is ${shown(shot)} on disk and ${shown(held ?? null)} in the log`);
    }
    for (const [path, shot] of this.files)
      if (!photograph.files.has(path)) complaints.push(`${path} is gone from disk and ${shown(shot)} in the log`);
    return complaints;
  }
}

function shotOf(version: Version | null): Shot | null {
  return version === null ? null : { id: version.content, mode: version.mode };
}

function shown(shot: Shot | null): string {
  return shot === null ? 'nothing' : `${shot.id.slice(0, 10)} (${shot.mode})`;
}
