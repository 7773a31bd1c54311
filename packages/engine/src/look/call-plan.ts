import {
  type CallId,
  callKey,
  type Effect,
  intentOf,
  isWithin,
  type LineRange,
  type SessionId,
  type ToolAction,
  type WorkspacePath,
} from '@palimpsest/core';
import { predictShell } from '../shell/predict.js';
import type { PredictedRead } from '../shell/prediction.js';
import type { LastLink } from '../tree/locator.js';

/** What a call may do, with the files it names resolved: enough to guard it, and to claim changes for it. */
export type CallPlan = {
  readonly key: string;
  readonly session: SessionId;
  readonly agent: string;
  readonly call: CallId;
  readonly tool: string;
  readonly action: ToolAction;
  /** Files it names for writing; null where what it will write cannot be computed. */
  readonly writes: ReadonlyMap<WorkspacePath, PlannedWrite>;
  /** Folders below which it may write anything. */
  readonly trees: readonly WorkspacePath[];
  readonly reads: readonly PlannedRead[];
  /** Reads by a shell command: they count when its output proves them. */
  readonly shellReads: readonly { readonly path: WorkspacePath; readonly read: PredictedRead }[];
  /** It may change files that `writes` does not list. */
  readonly opaque: boolean;
  /** It may leave something running that goes on writing after it has ended. */
  readonly background: boolean;
  /** What another call left running and this one puts an end to, by what the agent calls it. */
  readonly stops: string | null;
  /** The sessions that its own runs within, such as a `pal run` around an agent. */
  readonly within: readonly SessionId[];
};

/** `from`: the patch applies to the bytes of that file, which the call moves. */
export type PlannedWrite = { readonly effect: Effect | null; readonly from: WorkspacePath | null };
export type PlannedRead = { readonly path: WorkspacePath; readonly lines?: LineRange };

/** One call of one tool: who, in which folder, with what. */
export type ToolCall = {
  readonly session: SessionId;
  readonly agent: string;
  readonly call: CallId;
  readonly tool: string;
  readonly input: unknown;
  readonly cwd: string;
};

/** Null for a path that is not in the workspace, and so none of our business. */
export type PathResolver = (cwd: string, written: string, lastLink?: LastLink) => WorkspacePath | null;

export function planCall(of: ToolCall, within: readonly SessionId[], resolve: PathResolver): CallPlan {
  const { session, agent, call, tool, cwd } = of;
  const intent = intentOf(tool, of.input);
  const writes = new Map<WorkspacePath, PlannedWrite>();
  const reads: PlannedRead[] = [];
  for (const file of intent.files) {
    const path = resolve(cwd, file.path);
    if (path === null) continue;
    if (file.access === 'read') reads.push(file.lines === undefined ? { path } : { path, lines: file.lines });
    else addWrite(writes, path, file.effect ?? null, (written) => resolve(cwd, written));
  }
  const shell =
    intent.command === undefined ? null : planShell(intent.command.text, intent.command.cwd ?? cwd, resolve);
  for (const [path, planned] of shell?.writes ?? []) if (!writes.has(path)) writes.set(path, planned);
  return {
    key: callKey(session, call),
    session,
    agent,
    call,
    tool,
    action: intent.action,
    writes,
    trees: shell?.trees ?? [],
    reads,
    shellReads: shell?.reads ?? [],
    opaque: intent.action === 'delegate' ? false : shell === null ? intent.opaque : !shell.closed,
    background: intent.command?.background === true || shell?.background === true,
    stops: intent.stops ?? null,
    within,
  };
}

export function canWrite(plan: CallPlan): boolean {
  return plan.opaque || plan.writes.size > 0 || plan.trees.length > 0;
}

/** Whether it may write files that it does not name one by one. */
export function writesAnything(plan: CallPlan): boolean {
  return plan.opaque || plan.trees.length > 0;
}

/** What the call was to do to a file that it names, itself or a folder above it; undefined when it names neither. */
export function plannedWrite(plan: CallPlan, path: WorkspacePath): PlannedWrite | undefined {
  const planned = plan.writes.get(path);
  if (planned !== undefined || !plan.trees.some((folder) => isWithin(path, folder))) return planned;
  return { effect: null, from: null };
}

function addWrite(
  writes: Map<WorkspacePath, PlannedWrite>,
  path: WorkspacePath,
  effect: Effect | null,
  resolve: (written: string) => WorkspacePath | null,
): void {
  const from = effect?.kind === 'patch' && effect.from !== undefined ? resolve(effect.from) : null;
  const earlier = writes.get(path);
  // Two edits of one file in one call are one effect after the other.
  if (earlier?.effect && effect !== null)
    writes.set(path, { effect: { kind: 'steps', steps: [earlier.effect, effect] }, from: earlier.from });
  else writes.set(path, { effect, from });
}

function planShell(command: string, cwd: string, resolve: PathResolver) {
  const predicted = predictShell(command, cwd);
  const writes = new Map<WorkspacePath, PlannedWrite>();
  const trees: WorkspacePath[] = [];
  let closed = predicted.closed;
  for (const write of predicted.writes) {
    const path = resolve(cwd, write.path);
    if (path !== null && write.extent === 'tree') trees.push(path);
    if (path !== null) writes.set(path, { effect: write.effect ?? null, from: null });
    // A redirection goes through a link, `ln`, `mv` and `rm` act on the link itself.
    const link = resolve(cwd, write.path, 'keep');
    if (link !== null && link !== path) writes.set(link, { effect: null, from: null });
    // A tree that is not inside the workspace may hold it.
    if (path === null && write.extent === 'tree') closed = false;
  }
  const reads = predicted.reads.flatMap((read) => {
    const path = resolve(cwd, read.path);
    return path === null ? [] : [{ path, read }];
  });
  return { writes, trees, reads, closed, background: predicted.background };
}
