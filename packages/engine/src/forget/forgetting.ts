import { type ContentId, type Outcome, ok, type Seq, type WorkspacePath } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { Keeping } from '../checkpoint/checkpoint-desk.js';
import type { ContentStore } from '../content/content.js';
import { hashObject, type ObjectId } from '../git/object-id.js';
import type { ObjectStore } from '../git/objects.js';
import { ownedIds } from '../git/owned.js';
import type { UserRepository } from '../git/user-repository.js';
import type { FileState } from '../log/log.js';
import type { Disk } from '../tree/disk.js';
import { scrubFiles } from './diaries.js';
import { type Findings, findingsOf } from './findings.js';
import { inRepository } from './lender.js';
import { longTextsOf, planRedaction, type Redaction } from './redaction.js';
import { type ForgetRequest, type TargetParts, targetOf } from './target.js';

export type Forgotten = {
  /** Those of which there were bytes. */
  readonly contents: readonly ContentId[];
  /** Calls whose input went, or lost what it quoted. */
  readonly calls: number;
  /** Titles, prompts, comments, rejected diffs and messages that quoted it. */
  readonly texts: number;
  /** Files on disk that still hold such a content: they are the user's, and are not touched. */
  readonly onDisk: readonly WorkspacePath[];
  /** Files that are kept and share something with it that looks like a key. */
  readonly alsoIn: readonly string[];
  /** Contents that the user's own git repository has. */
  readonly inGit: readonly ContentId[];
  readonly seq: Seq | 0;
};

type ForgettingParts = TargetParts & {
  readonly content: ContentStore;
  readonly objects: ObjectStore;
  readonly disk: Disk;
  readonly repository: UserRepository | null;
  /** Removes what was set aside because it was damaged: nobody can say what is in it. */
  readonly dropAsides: () => Promise<void>;
  /** Lets go of what is indexed, and takes nothing up again before `work` is done. */
  readonly withoutIndex: <T>(work: () => Promise<T>) => Promise<T>;
  /** Files of whoever opened the workspace that may quote what they were told. */
  readonly diaries: () => readonly string[];
};

/**
 * Removes bytes from every place we keep them: the store, whatever in the log quotes them, what was set aside, and what
 * nothing needs any more and nobody can tell the origin of. That something happened stays on record, by ids; a change
 * whose bytes are gone cannot be taken back any more.
 *
 * Runs inside the queue, while nobody packs. The contents go last: a run that was cut short finds what to look for again.
 */
export class Forgetting {
  readonly #parts: ForgettingParts;

  constructor(parts: ForgettingParts) {
    this.#parts = parts;
  }

  async forget(request: ForgetRequest, keeping: Keeping): Promise<Outcome<Forgotten, Refusal>> {
    const { content, live, objects } = this.#parts;
    const target = await targetOf(request, keeping.reader, this.#parts);
    if (!target.ok) return target;
    const path = target.value.kind === 'contents' ? target.value.path : null;
    const { needed, names } = await keeping.reach();
    const findings = await findingsOf(target.value, { needed, names, inputs: this.#longInputs() }, content);
    const redaction = await planRedaction(findings, path, { log: live.log, content, objects });
    const onDisk = await this.#holding(findings);
    const had = await content.sizes([...findings.contents]);
    const answer = {
      contents: [...had.keys()],
      calls: redaction.calls,
      texts: redaction.operations.length - redaction.calls,
      onDisk: onDisk.map((state) => state.path).sort(),
      alsoIn: findings.alsoIn,
      inGit: await inRepository(findings.contents, this.#parts.repository),
    };
    if (request.dryRun) return ok({ ...answer, seq: live.log.last });
    await this.#parts.withoutIndex(async () => {
      await this.#rewrite(redaction, keeping);
      await this.#remove(findings, redaction, needed);
    });
    scrubFiles(this.#parts.diaries(), findings.secrets);
    this.#record([...findings.contents], path, onDisk);
    return ok({ ...answer, seq: live.log.last });
  }

  /** Files of which there is no copy, because they are large or were forgotten before, are read. */
  async #holding({ contents, isIn }: Findings): Promise<readonly FileState[]> {
    const { known, disk } = this.#parts;
    const holding: FileState[] = [];
    for (const state of known.states()) {
      const read = state.kept || contents.has(state.content) ? null : await disk.read(state.path);
      if (contents.has(state.content) || (read?.ok && isIn(Buffer.from(read.value.bytes)))) holding.push(state);
    }
    return holding;
  }

  /** What calls were given and messages say, where it is too long for the log. */
  #longInputs(): ReadonlySet<ObjectId> {
    const inputs = new Set<ObjectId>();
    for (const operation of this.#parts.live.log.find({
      kinds: ['call-began', 'message-added', 'task-imported', 'transcript-read'],
    }))
      for (const id of longTextsOf(operation)) inputs.add(id);
    return inputs;
  }

  async #rewrite({ operations, commits, texts }: Redaction, { putRefsRight }: Keeping): Promise<void> {
    const { live, objects, content } = this.#parts;
    for (const bytes of commits.values()) await objects.write('commit', bytes);
    if (texts.length > 0) await content.putMany(texts);
    live.redact(operations);
    if (commits.size > 0) await putRefsRight();
  }

  async #remove(
    { contents }: Findings,
    { inputs, commits, texts }: Redaction,
    needed: ReadonlySet<ObjectId>,
  ): Promise<void> {
    const { content, objects, dropAsides } = this.#parts;
    await dropAsides();
    const fresh = new Set([
      ...[...commits.values()].map((bytes) => hashObject('commit', bytes)),
      ...texts.map((bytes) => hashObject('blob', bytes)),
    ]);
    const unneeded = [...(await ownedIds(objects.gitDir))].filter((id) => !needed.has(id) && !fresh.has(id));
    await content.forget([...new Set([...contents, ...inputs, ...commits.keys(), ...unneeded])] as ContentId[]);
  }

  /** A file that still holds it is known from now on by its name alone, as one that is too large to keep. */
  #record(contents: readonly ContentId[], path: WorkspacePath | null, onDisk: readonly FileState[]): void {
    const { live, known } = this.#parts;
    const unkept = onDisk.map((state): FileState => ({ ...state, kept: false }));
    for (const state of unkept) known.set(state);
    const body = { kind: 'forgotten', contents, ...(path === null ? {} : { path }) } as const;
    live.append([body], { files: unkept });
  }
}
