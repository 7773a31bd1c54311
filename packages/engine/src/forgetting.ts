import {
  type ContentId,
  callKey,
  failed,
  filesOf,
  type Operation,
  type Outcome,
  ok,
  parseContentId,
  type Seq,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from './content/content.js';
import type { Journal } from './journal.js';
import type { KnownTree } from './known-tree.js';
import type { Locator } from './locator.js';
import type { FileState } from './log/log.js';
import type { Refusal } from './refusal.js';

/** What is to be forgotten: every content a file ever had, or one content wherever it was. */
export type ForgetRequest = { readonly what: string; readonly dryRun?: boolean };

export type Forgotten = {
  readonly contents: readonly ContentId[];
  /** Calls whose input held the bytes too, and was taken out of the log. */
  readonly calls: number;
  /** Files on disk that still hold such a content: they are the user's, and are not touched. */
  readonly onDisk: readonly WorkspacePath[];
  readonly seq: Seq | 0;
};

export type ForgettingParts = {
  readonly root: string;
  readonly journal: Journal;
  readonly content: ContentStore;
  readonly known: KnownTree;
  readonly locate: Locator;
  /** Removes what was set aside because it was damaged: nobody can say what is in it. */
  readonly dropAsides: () => Promise<void>;
};

/**
 * Removes bytes from every place we keep them: the store, the inputs of calls in the log, and what was set aside. That
 * something happened stays on record, by ids; a change whose bytes are gone cannot be taken back any more. Runs inside
 * the queue.
 */
export class Forgetting {
  readonly #parts: ForgettingParts;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
  }

  async forget({ what, dryRun }: ForgetRequest): Promise<Outcome<Forgotten, Refusal>> {
    const target = this.#target(what);
    if (!target.ok) return target;
    const { path, contents } = target.value;
    const calls = this.#callsWith(contents, path);
    const onDisk = [...this.#parts.known.states()].filter((state) => contents.has(state.content));
    const answer = { contents: [...contents], calls: calls.length, onDisk: onDisk.map((state) => state.path) };
    if (dryRun) return ok({ ...answer, seq: this.#parts.journal.log.last });
    const { content, journal, known } = this.#parts;
    journal.log.redact(calls.map((operation) => ({ ...operation, input: null })));
    const inputs = calls.flatMap(({ input }) => (input !== null && 'content' in input ? [input.content] : []));
    await this.#parts.dropAsides();
    await content.forget([...contents, ...inputs]);
    const unkept = onDisk.map((state): FileState => ({ ...state, kept: false }));
    for (const state of unkept) known.set(state);
    const body = { kind: 'forgotten', contents: [...contents], ...(path === null ? {} : { path }) } as const;
    journal.append([body], unkept);
    return ok({ ...answer, seq: journal.log.last });
  }

  #target(what: string): Outcome<{ readonly path: WorkspacePath | null; readonly contents: Set<ContentId> }, Refusal> {
    const id = parseContentId(what);
    if (id.ok) return ok({ path: null, contents: new Set([id.value]) });
    const path = this.#parts.locate(what, this.#parts.root);
    if (!path.ok) return path;
    const contents = new Set<ContentId>();
    const present = this.#parts.known.get(path.value);
    if (present !== null) contents.add(present.content);
    for (const operation of this.#parts.journal.log.find({ path: path.value }))
      addContents(operation, path.value, contents);
    return contents.size === 0
      ? failed({ code: 'no-such-file', path: path.value })
      : ok({ path: path.value, contents });
  }

  /** Calls that named the file, or that made a change with such a content: what they were to write stands in their input. */
  #callsWith(
    contents: ReadonlySet<ContentId>,
    path: WorkspacePath | null,
  ): readonly (Operation & { kind: 'call-began' })[] {
    const { log } = this.#parts.journal;
    const makers = new Set<string>();
    for (const operation of log.find({ kinds: ['changed', 'attributed'] })) {
      if (operation.kind !== 'changed' && operation.kind !== 'attributed') continue;
      if (operation.author.kind !== 'agent') continue;
      const files = operation.kind === 'changed' ? operation.files : operation.changes.map(({ file }) => file);
      const holds = files.some(
        ({ before, after }) => contents.has(before?.content as ContentId) || contents.has(after?.content as ContentId),
      );
      if (holds) makers.add(callKey(operation.author.session, operation.author.call));
    }
    return log
      .find({ kinds: ['call-began'] })
      .filter(
        (operation): operation is Operation & { kind: 'call-began' } =>
          operation.kind === 'call-began' &&
          operation.input !== null &&
          (makers.has(callKey(operation.session, operation.call)) ||
            (path !== null && operation.names.includes(path)) ||
            ('content' in operation.input && contents.has(operation.input.content))),
      );
  }
}

function addContents(operation: Operation, path: WorkspacePath, contents: Set<ContentId>): void {
  for (const file of filesOf(operation)) {
    if (file.path !== path && file.fromPath !== path) continue;
    if (file.before !== null) contents.add(file.before.content);
    if (file.after !== null) contents.add(file.after.content);
  }
  if (operation.kind === 'shown')
    for (const file of operation.files) if (file.path === path) contents.add(file.content);
}
