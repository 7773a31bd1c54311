import {
  type ContentId,
  changeId,
  diffLines,
  FILE_KINDS,
  failed,
  filesOf,
  isBinary,
  type Lines,
  newIndexOf,
  type Operation,
  type Outcome,
  ok,
  type Seq,
  splitLines,
  trustPath,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { Ignored } from '../checkpoint/ignored-now.js';
import type { Git } from '../git/run.js';
import { COMMITS_LIMIT, type CommitFacts, type RawChange, UserHistory } from '../git/user-history.js';
import { type Note, UserNotes } from '../git/user-notes.js';
import type { UserRepository } from '../git/user-repository.js';
import { Desk, type ReviewParts } from '../review/desk.js';
import { Authors, BEFORE, type Origin } from '../review/line-author.js';
import { FollowedFiles } from '../review/lineage.js';
import { type LineOrigin, lineOrigins } from '../review/origins.js';

/** What a commit brings, or what is not committed yet: each new line with its author. */
export type Contribution = {
  readonly of: 'commit' | 'staged' | 'uncommitted';
  /** The commit, and null for what is none yet. */
  readonly commit: string | null;
  /** What it was compared with; null where there was nothing before. */
  readonly base: string | null;
  /** `Name <mail>` of who committed it. */
  readonly committedBy: string | null;
  readonly files: readonly ContributedFile[];
};

export type ContributedFile = {
  readonly path: WorkspacePath;
  readonly fromPath?: WorkspacePath;
  readonly kind: 'create' | 'modify' | 'delete' | 'rename';
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  /** Lines that are new in it, from first to last by their present numbers, that came with one change. */
  readonly stretches: readonly (Origin & { readonly from: number; readonly to: number })[];
  /** Who left the file as it is, where there are no lines to tell: of one that is gone, or is binary. */
  readonly whole: Origin | null;
};

export type ContributionParts = Omit<ReviewParts, 'followed'> & {
  readonly git: Git;
  readonly repository: UserRepository | null;
  readonly head: string | null;
  readonly ignored: () => Promise<Ignored>;
};

/** With a range each of its commits, oldest first; without one what is staged or, if nothing is, what is not committed. */
export async function contributionsOf(
  parts: ContributionParts,
  range: string | undefined,
): Promise<Outcome<readonly Contribution[], Refusal>> {
  const { repository, git, head } = parts;
  if (repository === null) return failed({ code: 'bad-input', why: NO_REPOSITORY });
  const asked = new Asked(parts, new UserHistory(git, repository), repository.prefix);
  if (range !== undefined) return asked.commits(range);
  const staged = await asked.staged(head);
  return staged.ok && staged.value[0]!.files.length === 0 ? asked.uncommitted(head) : staged;
}

/** A file by its name from the top of the repository, the commit that HEAD is at, and whether it has the file as it is. */
export type Revision = { readonly path: string; readonly head: string | null; readonly isCommitted: boolean };

export async function revisionOf(parts: ContributionParts, written: string): Promise<Outcome<Revision, Refusal>> {
  const located = parts.locate(written);
  if (!located.ok) return located;
  const { repository, git, head, known } = parts;
  const path = [repository?.prefix ?? '', located.value].filter((part) => part !== '').join('/');
  if (repository === null || head === null) return ok({ path, head: null, isCommitted: false });
  const held = await new UserHistory(git, repository).blobAt(head, path);
  return ok({ path, head, isCommitted: held !== null && held.content === known.get(located.value)?.content });
}

/** Attaches to each of these commits what is said of it; those that have something attached are left as they are. */
export async function attachNotes(
  { git, repository }: ContributionParts,
  ref: string,
  notes: readonly Note[],
  manner: 'do' | 'pretend',
): Promise<Outcome<{ readonly written: readonly string[]; readonly left: readonly string[] }, Refusal>> {
  if (repository === null) return failed({ code: 'bad-input', why: NO_REPOSITORY });
  const theirs = new UserNotes(git, repository, ref);
  if (await theirs.isLedElsewhere())
    return failed({ code: 'bad-input', why: `${ref} of this repository leads elsewhere; nothing was written` });
  const there = await theirs.commits();
  if (!there.ok) return failed({ code: 'bad-input', why: `the notes in ${ref} cannot be read` });
  const [left, fresh] = [true, false].map((isThere) =>
    notes.filter(({ commit }) => there.value.has(commit) === isThere),
  );
  const written: string[] = [];
  for (const note of manner === 'do' ? fresh! : []) {
    const added = await theirs.add(note);
    if (!added.ok)
      return failed({
        code: 'bad-input',
        why: `git refused the note of ${note.commit}; ${written.length} were written`,
      });
    written.push(note.commit);
  }
  return ok({ written, left: left!.map(({ commit }) => commit) });
}

const NO_REPOSITORY = 'this workspace has no git repository';

/** What one question needs; texts and histories are read once for all of its files. */
class Asked {
  readonly #parts: ContributionParts;
  readonly #history: UserHistory;
  /** From the top of the repository to the workspace, with a slash behind it. */
  readonly #prefix: string;
  readonly #desk: Desk;
  readonly #authors: Authors;

  constructor(parts: ContributionParts, history: UserHistory, prefix: string) {
    this.#parts = parts;
    this.#history = history;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#desk = new Desk({ ...parts, followed: new FollowedFiles() });
    this.#authors = new Authors(parts.live.log);
  }

  async commits(range: string): Promise<Outcome<readonly Contribution[], Refusal>> {
    const commits = await this.#history.commits(range);
    if (!commits.ok || (commits.value.length === 0 && !range.includes('..')))
      return failed({ code: 'unknown-commit', range });
    if (commits.value.length > COMMITS_LIMIT)
      return failed({ code: 'too-large', what: `the range ${range}`, limit: COMMITS_LIMIT });
    const contributions: Contribution[] = [];
    for (const facts of commits.value) {
      const changes = await this.#history.changesOf(facts.commit);
      if (!changes.ok) return failed({ code: 'damaged', what: `the commit ${facts.commit}` });
      contributions.push(await this.#contribution('commit', facts, changes.value));
    }
    return ok(contributions);
  }

  async staged(head: string | null): Promise<Outcome<readonly Contribution[], Refusal>> {
    const changes = await this.#history.staged(head);
    if (!changes.ok) return failed({ code: 'damaged', what: "git's index" });
    return ok([await this.#contribution('staged', { parent: head }, changes.value)]);
  }

  async uncommitted(head: string | null): Promise<Outcome<readonly Contribution[], Refusal>> {
    const committed = head === null ? ok(new Map<string, never>()) : await this.#history.filesOf(head);
    if (!committed.ok) return failed({ code: 'damaged', what: `the commit ${head}` });
    const ignored = await this.#parts.ignored();
    const changes: RawChange[] = [];
    for (const { path, content, mode } of this.#parts.known.states()) {
      const before = committed.value.get(this.#prefix + path) ?? null;
      if (before?.content === content || (before === null && ignored.file(path))) continue;
      changes.push({ path: this.#prefix + path, before, after: { content, mode } });
    }
    for (const [path, before] of committed.value) {
      if (path.startsWith(this.#prefix) && this.#parts.known.get(this.#inside(path)) === null)
        changes.push({ path, before, after: null });
    }
    changes.sort((a, b) => (a.path < b.path ? -1 : 1));
    return ok([await this.#contribution('uncommitted', { parent: head }, changes)]);
  }

  async #contribution(
    of: Contribution['of'],
    facts: Pick<CommitFacts, 'parent'> & Partial<CommitFacts>,
    changes: readonly RawChange[],
  ): Promise<Contribution> {
    const files: ContributedFile[] = [];
    for (const change of changes) {
      if (change.path.startsWith(this.#prefix)) files.push(await this.#file(change));
    }
    const { commit = null, parent: base, author: committedBy = null } = facts;
    return { of, commit, base, committedBy, files };
  }

  async #file({ path: name, fromPath, before, after }: RawChange): Promise<ContributedFile> {
    const path = this.#inside(name);
    const came = fromPath?.startsWith(this.#prefix) === true ? { fromPath: this.#inside(fromPath) } : {};
    const kind = before === null ? 'create' : after === null ? 'delete' : fromPath === undefined ? 'modify' : 'rename';
    const [old, next] = [await this.#linesOf(before?.content), await this.#linesOf(after?.content)];
    const binary = [old, next].some((lines) => lines === null || isBinary(lines.bytes));
    const spans = binary ? [] : diffLines(old!.bytes, next!.bytes);
    const origins = spans.length === 0 || after === null ? [] : await this.#origins(path, after.content, next!);
    const stretches: (Origin & { readonly from: number; to: number })[] = [];
    for (const span of spans) {
      for (let line = newIndexOf(span); line < newIndexOf(span) + span.newLines; line++) {
        const origin = origins[line] ?? BEFORE;
        const last = stretches.at(-1);
        if (last?.to === line && last.change === origin.change) last.to = line + 1;
        else stretches.push({ ...origin, from: line + 1, to: line + 1 });
      }
    }
    const sum = (side: 'newLines' | 'oldLines') => spans.reduce((count, span) => count + span[side], 0);
    const whole = stretches.length > 0 ? null : this.#lastAt(path, after?.content ?? null);
    return { path, ...came, kind, binary, added: sum('newLines'), removed: sum('oldLines'), stretches, whole };
  }

  /** Of the text as it was when the file held it; of one that the file never held, as far as its lines are those of now. */
  async #origins(path: WorkspacePath, content: string, text: Lines): Promise<readonly Origin[]> {
    const present = this.#parts.known.get(path)?.content;
    const held = this.#changeTo(path, content);
    if (held !== null) return this.#told(await this.#traced(path, held.operation.seq, text));
    if (present === undefined || present === content) return [];
    const now = await this.#linesOf(present);
    if (now === null) return [];
    const origins = this.#told(await this.#traced(path, null, now));
    const matched: Origin[] = [];
    let line = 0;
    for (const span of [...diffLines(now.bytes, text.bytes), null]) {
      const shift = matched.length - line;
      const end = span === null ? text.count : newIndexOf(span);
      for (let at = matched.length; at < end; at++) matched.push(origins[at - shift] ?? BEFORE);
      if (span === null) break;
      line = matched.length - shift + span.oldLines;
      for (let at = 0; at < span.newLines; at++) matched.push(BEFORE);
    }
    return matched;
  }

  async #traced(path: WorkspacePath, upTo: Seq | null, text: Lines): Promise<readonly LineOrigin[]> {
    const { lineages } = this.#desk;
    const lineage = upTo === null ? await lineages.fresh(path, 1) : await lineages.before(path, (upTo + 1) as Seq);
    // A file that was there before anything of it was recorded, and is as it was, has no history.
    return lineage.weave === null || lineage.weave.initial === null ? [] : lineOrigins(this.#desk, lineage, text);
  }

  #told(origins: readonly LineOrigin[]): readonly Origin[] {
    return origins.map((origin) => (origin === null ? BEFORE : this.#authors.of(origin)));
  }

  #lastAt(path: WorkspacePath, content: string | null): Origin | null {
    const held = this.#changeTo(path, content);
    return held === null ? null : this.#authors.of(held);
  }

  /** The last change that left this at the path; null for no file. */
  #changeTo(path: WorkspacePath, content: string | null): NonNullable<LineOrigin> | null {
    for (const operation of this.#parts.live.log.find({ path, kinds: FILE_KINDS, newestFirst: true })) {
      const index = indexIn(operation, path, content);
      if (index >= 0) return { change: changeId(operation.seq, index), operation };
    }
    return null;
  }

  /** What neither we nor the user's repository have reads as null; no file as no lines. */
  async #linesOf(content: string | undefined): Promise<Lines | null> {
    if (content === undefined) return NO_LINES;
    const ours = await this.#desk.texts.lines(content as ContentId);
    if (ours !== null) return ours;
    const theirs = await this.#history.bytesOf(content);
    return theirs === null ? null : splitLines(theirs);
  }

  #inside(name: string): WorkspacePath {
    return trustPath(name.slice(this.#prefix.length));
  }
}

function indexIn(operation: Operation, path: WorkspacePath, content: string | null): number {
  return filesOf(operation).findIndex(
    (file) =>
      (file.path === path && (file.after?.content ?? null) === content) || (content === null && file.fromPath === path),
  );
}

const NO_LINES = splitLines(new Uint8Array(0));
