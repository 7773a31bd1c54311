import type { Author } from '../author.js';
import { type FileChange, kindOfChange } from '../file.js';
import { type CallId, type ChangeId, changeId, type Seq, type SessionId, seqOfChange } from '../ids.js';
import type { Operation } from '../operation.js';
import type { WorkspacePath } from '../path.js';
import { countLines } from '../span.js';
import type { View } from './view.js';

/** What one call of an agent did to one file. The diff is made from the contents when somebody wants to see it. */
export type Patch = {
  readonly id: ChangeId;
  readonly session: SessionId;
  readonly agent: string;
  readonly call: CallId;
  readonly tool: string;
  readonly path: WorkspacePath;
  readonly fromPath?: WorkspacePath;
  readonly kind: ReturnType<typeof kindOfChange>;
  readonly added: number;
  readonly removed: number;
  readonly at: number;
};

type Ledger = {
  /** The latest, oldest first. */
  readonly recent: readonly Patch[];
  /** What is up to here was cleared away. */
  readonly cleared: Seq | 0;
};

export type Patches = { readonly sessions: Map<SessionId, Ledger>; cleared: Seq | 0 };

export const PATCHES_LIMIT = 20;

/** The latest patches of a session, or of all, newest first. */
export function patchesOf({ sessions }: Patches, session: SessionId | null): readonly Patch[] {
  const ledgers = session === null ? [...sessions.values()] : [sessions.get(session)];
  const patches = ledgers.flatMap((ledger) => ledger?.recent ?? []);
  return patches.sort(inOrder).reverse().slice(0, PATCHES_LIMIT);
}

/** Up to where what a session did was cleared away. */
export function clearedUpTo({ sessions, cleared }: Patches, session: SessionId): Seq | 0 {
  return Math.max(cleared, sessions.get(session)?.cleared ?? 0) as Seq | 0;
}

export const patchesView: View<Patches> = {
  name: 'patches',
  version: 1,
  empty: () => ({ sessions: new Map(), cleared: 0 }),
  apply: applyToPatches,
  encode: ({ sessions, cleared }) => ({ cleared, sessions: [...sessions] }),
  decode(encoded) {
    const stored = encoded as { cleared: Seq | 0; sessions: [SessionId, Ledger][] };
    const limited = stored.sessions.map(([session, ledger]): [SessionId, Ledger] => [
      session,
      { ...ledger, recent: ledger.recent.slice(-PATCHES_LIMIT) },
    ]);
    return { cleared: stored.cleared, sessions: new Map(limited) };
  },
};

function applyToPatches(state: Patches, operation: Operation): Patches {
  switch (operation.kind) {
    case 'changed': {
      if (operation.author.kind !== 'agent') break;
      const first = Math.max(0, operation.files.length - PATCHES_LIMIT);
      const patches = patchesIn(operation);
      add(state, operation.author.session, patches.slice(first));
      break;
    }
    case 'attributed': {
      const ids = new Set(operation.changes.map(({ id }) => id));
      for (const [session, ledger] of state.sessions) {
        const recent = ledger.recent.filter(({ id }) => !ids.has(id));
        if (recent.length < ledger.recent.length) state.sessions.set(session, { ...ledger, recent });
      }
      if (operation.author.kind === 'agent') add(state, operation.author.session, patchesIn(operation));
      break;
    }
    case 'patches-cleared':
      if (operation.session === null) {
        state.cleared = operation.seq;
        state.sessions.clear();
      } else state.sessions.set(operation.session, { recent: [], cleared: operation.seq });
      break;
    case 'session-deleted':
      state.sessions.delete(operation.session);
      break;
    default:
      break;
  }
  return state;
}

/** What an operation that says whose changes are adds to a ledger; nothing where it is no agent's. */
export function patchesIn(operation: Operation): readonly Patch[] {
  switch (operation.kind) {
    case 'changed':
      return operation.files.flatMap((file, index) =>
        patchOf(changeId(operation.seq, index), file, operation.author, operation.at),
      );
    case 'attributed':
      return operation.changes.flatMap(({ id, file }) => patchOf(id, file, operation.author, operation.at));
    default:
      return [];
  }
}

function patchOf(id: ChangeId, file: FileChange, author: Author, at: number): readonly Patch[] {
  if (author.kind !== 'agent') return [];
  const { session, agent, call, tool } = author;
  const { added, removed } = countLines(file.spans);
  const from = file.fromPath === undefined ? {} : { fromPath: file.fromPath };
  return [{ id, session, agent, call, tool, path: file.path, ...from, kind: kindOfChange(file), added, removed, at }];
}

function add(state: Patches, session: SessionId, patches: readonly Patch[]): void {
  const { recent = [], cleared = 0 } = state.sessions.get(session) ?? {};
  const since = clearedUpTo(state, session);
  const fresh = patches.filter(({ id }) => seqOfChange(id) > since);
  state.sessions.set(session, { recent: [...recent, ...fresh].sort(inOrder).slice(-PATCHES_LIMIT), cleared });
}

function inOrder(a: Patch, b: Patch): number {
  return seqOfChange(a.id) - seqOfChange(b.id) || indexOf(a.id) - indexOf(b.id);
}

function indexOf(id: ChangeId): number {
  return Number(id.slice(id.indexOf('.') + 1));
}
