import { createHash } from 'node:crypto';
import {
  type ChangeId,
  type Checkpoint,
  type CheckpointId,
  type FileLife,
  HISTORY_KINDS,
  historyOf,
  livesOf,
  namesOfLife,
  type Outcome,
  ok,
  type PathStep,
  type Review,
  type Seq,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import { type CoverageList, decodeCoverage, FULL_COVERAGE, isUncovered } from '../tree/coverage-list.js';
import type { Disk } from '../tree/disk.js';
import type { Locator } from '../tree/locator.js';
import type { FileWrite, Writer } from '../write/writer.js';
import {
  type ConversationFork,
  type ConversationPlan,
  type ConversationRestore,
  IN_PLACE,
} from './conversation-restore.js';
import { type ExactQuestion, planExact } from './exact-restore.js';
import type { Ignored } from './ignored-now.js';
import { planKeepMine } from './keep-mine.js';
import type {
  LeftAlone,
  PreparedRestore,
  RestoreConflict,
  RestoreMode,
  RestorePlan,
  RestoreRequest,
  Untouched,
} from './restore-plan.js';
import type { Saver } from './saver.js';
import { namedPaths, type Scope, scopeOfNamed } from './scope.js';
import type { TreeBuilder } from './tree-builder.js';
import type { TreeReader } from './tree-reader.js';

type RestorerParts = {
  readonly root: string;
  readonly builder: TreeBuilder;
  readonly reader: TreeReader;
  readonly saver: Saver;
  readonly known: KnownTree;
  readonly content: ContentStore;
  readonly disk: Disk;
  readonly live: LiveLog;
  readonly writer: Writer;
  readonly locate: Locator;
  /** What is ignored at this moment. */
  readonly ignored: () => Promise<Ignored>;
  readonly conversation: ConversationRestore;
};

export type RestoreAnswer = Omit<RestorePlan, 'token' | 'mode' | 'writes' | 'deletes' | 'yours'> & {
  /** How everything was before; null when there was nothing to write. */
  readonly rescue: CheckpointId | null;
  readonly written: readonly WorkspacePath[];
  readonly deleted: readonly WorkspacePath[];
  /** Files that somebody changed again before the restore had ended. */
  readonly movedOn: readonly WorkspacePath[];
  readonly seq: Seq | 0;
  /** The session in which an agent's conversation goes on from there, and the command that takes it up. */
  readonly fork?: ConversationFork['fork'];
};

/** Plans that were given out, so that a refusal can say what moved. */
const REMEMBERED_PLANS = 16;

/** Takes the workspace back to a checkpoint. Runs inside the workspace's queue, after a look at the world. */
export class Restorer {
  readonly #parts: RestorerParts;
  readonly #given = new Map<string, PreparedRestore>();

  constructor(parts: RestorerParts) {
    this.#parts = parts;
  }

  async prepare(checkpoint: Checkpoint, request: RestoreRequest): Promise<Outcome<PreparedRestore, Refusal>> {
    const named = namedPaths(request.paths, this.#parts.root, this.#parts.locate);
    if (!named.ok) return named;
    const mode = request.mode ?? 'files';
    const conversation = mode === 'files' ? ok(null) : await this.#parts.conversation.plan(checkpoint);
    if (!conversation.ok) return conversation;
    const files = mode === 'conversation' ? NOTHING : await this.#planFiles(checkpoint, request, named.value);
    const prepared = this.#describe(checkpoint, request, mode, files, conversation.value);
    this.#remember(prepared);
    return ok(prepared);
  }

  async apply(
    prepared: PreparedRestore,
    checkpoint: Checkpoint,
    request: RestoreRequest,
  ): Promise<Outcome<RestoreAnswer, Refusal>> {
    const { conversation, live } = this.#parts;
    const { plan, files } = prepared;
    if (files.length === 0 && plan.mode === 'files') return ok(answerOf(prepared, null, [], live.log.last));
    const forked = plan.conversation === null ? ok(IN_PLACE) : await conversation.fork(checkpoint);
    if (!forked.ok) return forked;
    const { fork, drop } = forked.value;
    const done = await this.#write(prepared, checkpoint, request, fork).catch(async (error: unknown) => {
      await drop();
      throw error;
    });
    if (!done.ok) {
      await drop();
      return done;
    }
    if (plan.mode !== 'files') {
      const taken = await conversation.apply(checkpoint);
      if (!taken.ok) return taken;
    }
    const told = fork === undefined ? {} : { fork };
    return ok({ ...answerOf(prepared, done.value.rescue, this.#verify(files), done.value.seq), ...told });
  }

  async #write(
    { plan, files, texts, takenBack }: PreparedRestore,
    checkpoint: Checkpoint,
    request: RestoreRequest,
    fork: ConversationFork['fork'],
  ): Promise<Outcome<{ readonly rescue: CheckpointId; readonly seq: Seq | 0 }, Refusal>> {
    const { saver, content, writer } = this.#parts;
    const [rescue] = await saver.save([
      { asOf: 'now', reason: 'rescue', ...(checkpoint.session === null ? {} : { session: checkpoint.session }) },
    ]);
    if (texts.length > 0) await content.putMany(texts);
    const named = fork === undefined ? {} : { fork: fork.session, resume: fork.resume };
    const done = await writer.apply(files, {
      kind: 'restored',
      checkpoint: checkpoint.id,
      rescue: rescue!.id,
      mode: plan.mode,
      ...(request.keepMine === true ? { way: 'keep-mine' as const } : {}),
      takenBack,
      ...(plan.conversation === null
        ? {}
        : { conversation: { session: plan.conversation.session, upTo: checkpoint.asOf, ...named } }),
      files: [],
    });
    return done.ok ? ok({ rescue: rescue!.id, seq: done.value.seq }) : done;
  }

  /** Paths on which two plans differ: what moved between them. */
  movedSince(token: string, now: PreparedRestore): readonly WorkspacePath[] {
    const then = new Map(this.#given.get(token)?.files.map((file) => [file.path, file]) ?? []);
    const moved: WorkspacePath[] = [];
    for (const file of now.files) {
      const old = then.get(file.path);
      then.delete(file.path);
      if (old === undefined || !sameVersion(old.expected, file.expected) || !sameVersion(old.next, file.next))
        moved.push(file.path);
    }
    return [...moved, ...then.keys()].sort();
  }

  async #planFiles(
    checkpoint: Checkpoint,
    { keepMine }: RestoreRequest,
    named: readonly WorkspacePath[] | null,
  ): Promise<Planned> {
    const { root, builder, reader, known, content, live, ignored } = this.#parts;
    const scope = scopeOfNamed(named);
    const operations = live.log.find({ kinds: HISTORY_KINDS, since: checkpoint.asOf });
    const history = new Map([...historyOf(operations)].filter(([path]) => scope(path)));
    const coverage = await this.#coverageOf(checkpoint);
    const leftOut = coverage.uncovered.filter(({ path }) => scope(path.replace(/\/$/, '') as WorkspacePath));
    if (keepMine === true) {
      const inScope = (life: FileLife) => [...namesOfLife(life)].some(scope);
      const parts = { known, content, log: live.log };
      const { files, texts, conflicts } = await planKeepMine(root, livesOf(operations), inScope, parts);
      return { files, texts, conflicts, untouched: leftOut, left: [], yours: [] };
    }
    const differences = await reader.differences(builder.now().tree, checkpoint.tree);
    const question = {
      root,
      checkpoint,
      history,
      coverage,
      named,
      ignored,
      differences: differences.filter(({ path }) => scope(path)),
    };
    const { files, untouched, left, conflicts } = await planExact(question, known, content);
    const unkept = unkeptSince(builder.unkept, question, scope);
    const fresh = [...untouched, ...unkept].filter(({ path }) => !isUncovered(coverage, path as WorkspacePath));
    const yours = files.filter(({ path }) => isYours(history.get(path))).map(({ path }) => path);
    return { files, texts: [], conflicts, untouched: [...fresh, ...leftOut], left, yours };
  }

  async #coverageOf({ coverage }: Checkpoint): Promise<CoverageList> {
    if (coverage === null) return FULL_COVERAGE;
    const found = await this.#parts.content.get(coverage);
    // Without the list nobody knows what was left out, so nothing may be taken for new.
    return found.ok ? decodeCoverage(found.value) : { uncovered: [], beyond: Number.MAX_SAFE_INTEGER };
  }

  #describe(
    { id, asOf, incomplete }: Checkpoint,
    request: RestoreRequest,
    mode: RestoreMode,
    planned: Planned,
    conversation: ConversationPlan | null,
  ): PreparedRestore {
    const { texts, conflicts, untouched, left, yours } = planned;
    const files = [...planned.files].sort((a, b) => (a.path < b.path ? -1 : 1));
    const said = {
      id,
      mode,
      keepMine: request.keepMine === true,
      files: files.map(signature),
      conflicts,
      conversation,
    };
    return {
      files,
      texts,
      takenBack: takenBackBy(files, asOf, this.#parts.live.views.review),
      plan: {
        token: createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, TOKEN_LENGTH),
        checkpoint: id,
        mode,
        writes: files.filter(({ next }) => next !== null).map(({ path }) => path),
        deletes: files.filter(({ next }) => next === null).map(({ path }) => path),
        yours: [...yours].sort(),
        uncovered: untouched,
        incomplete,
        left,
        conflicts,
        conversation,
      },
    };
  }

  /**
   * Whether each file is still the one that was put there: the same inode, unchanged since. Nobody can keep others from
   * writing; one can say that they did.
   */
  #verify(files: readonly FileWrite[]): readonly WorkspacePath[] {
    const { disk, known } = this.#parts;
    const isStill = ({ path, next }: FileWrite) => {
      const [stat, state] = [disk.stat(path), known.get(path)];
      if (next === null || stat === null || state === null) return next === null && stat === null;
      return stat.ino === state.ino && stat.ctimeMs === state.ctimeMs && stat.size === state.size;
    };
    return files.filter((file) => !isStill(file)).map(({ path }) => path);
  }

  #remember(prepared: PreparedRestore): void {
    this.#given.set(prepared.plan.token, prepared);
    for (const oldest of this.#given.keys()) {
      if (this.#given.size <= REMEMBERED_PLANS) break;
      this.#given.delete(oldest);
    }
  }
}

type Planned = {
  readonly files: readonly FileWrite[];
  readonly texts: readonly Uint8Array[];
  readonly conflicts: readonly RestoreConflict[];
  readonly untouched: readonly Untouched[];
  readonly left: readonly LeftAlone[];
  readonly yours: readonly WorkspacePath[];
};

const NOTHING: Planned = { files: [], texts: [], conflicts: [], untouched: [], left: [], yours: [] };
const TOKEN_LENGTH = 32;

/** Files that came into being since and that no tree holds, because their bytes are not kept. */
function unkeptSince(
  unkept: ReadonlySet<WorkspacePath>,
  { differences, history }: Pick<ExactQuestion, 'differences' | 'history'>,
  scope: Scope,
): readonly Untouched[] {
  if (unkept.size === 0) return [];
  const told = new Set(differences.map(({ path }) => path));
  const silent = [...unkept].filter((path) => scope(path) && !told.has(path) && history.has(path));
  return silent.sort().map((path) => ({ path, reason: 'not-kept' }));
}

/** What nobody recorded a hand for may be anybody's. */
function isYours(steps: readonly PathStep[] | undefined): boolean {
  return steps === undefined || steps.some((step) => step.by === 'person');
}

/** Open changes made since then in files that are written: their text goes. */
export function takenBackBy(files: readonly FileWrite[], asOf: Seq | 0, { entries }: Review): readonly ChangeId[] {
  const touched = new Set(files.map(({ path }) => path));
  return [...entries.values()]
    .filter(({ status }) => status === 'pending' || status === 'conflict')
    .filter(({ seq, path, file }) => seq > asOf && (touched.has(path) || touched.has(file.path)))
    .map(({ id }) => id);
}

function signature({ path, expected, next }: FileWrite): readonly (string | null)[] {
  return [path, expected?.content ?? null, expected?.mode ?? null, next?.content ?? null, next?.mode ?? null];
}

function answerOf(
  { plan }: PreparedRestore,
  rescue: CheckpointId | null,
  movedOn: readonly WorkspacePath[],
  seq: Seq | 0,
): RestoreAnswer {
  const { checkpoint, writes, deletes, conflicts, uncovered, incomplete, left, conversation } = plan;
  return {
    ...{ checkpoint, rescue, written: writes, deleted: deletes },
    ...{ conflicts, uncovered, incomplete, left, movedOn, conversation, seq },
  };
}
