import { counted } from './amount.js';
import { harmless } from './harmless.js';
import { severalNames } from './names.js';
import type { Style } from './style.js';
import { clock } from './time.js';
import { shorten } from './width.js';

/** An operation as it comes from the daemon: three fields always, the others by kind. */
export type OperationWords = { readonly seq: number; readonly at: string | number; readonly kind: string } & Readonly<
  Record<string, unknown>
>;

export function operationText(operation: OperationWords, { paint, width }: Style): string {
  const seq = String(operation.seq).padStart(SEQ_WIDTH);
  const margin = `  ${clock(operation.at)}  ${kindText(operation).padEnd(KIND_WIDTH)}  `;
  const room = width === null ? Number.POSITIVE_INFINITY : width - seq.length - margin.length;
  const nameWidth = width === null ? Number.POSITIVE_INFINITY : NAME_WIDTH;
  return `${paint.name(seq)}${paint.quiet(margin)}${shorten(summaryOf(operation, nameWidth), room)}`.trimEnd();
}

const SEQ_WIDTH = 6;
/** Of a session or call, on a terminal. */
const NAME_WIDTH = 13;
const KIND_WIDTH = 'checkpoint-deleted'.length;

/** A new HEAD that holds no pending change may be a checkout or a reset as well. */
function kindText({ kind, changes }: OperationWords): string {
  return kind === 'committed' && listOf(changes).length === 0 ? 'head-moved' : kind;
}

/** The kinds are open towards the future: one that we do not know is listed with its session, if it has one. */
function summaryOf(operation: OperationWords, nameWidth: number): string {
  const session = shorten(text(operation.session), nameWidth);
  const call = shorten(text(operation.callId ?? operation.call), nameWidth);
  switch (operation.kind) {
    case 'workspace-opened':
      return counted(Number(operation.files), 'file');
    case 'session-started':
      return `${session} ${text(operation.agent)} ${text(operation.title)}`.trimEnd();
    case 'session-renamed':
      return `${session} → ${text(operation.title)}`;
    case 'prompted':
      return `${session}: ${firstLine(text(operation.text))}`;
    case 'commented':
      return counted(listOf(operation.comments).length, 'comment');
    case 'call-began':
      return `${text(operation.tool)} ${call} in ${session}${operation.decision === 'deny' ? ', denied' : ''}`;
    case 'call-ended':
      return `${call} in ${session}: ${text(operation.outcome)}`;
    case 'shown':
      return `${pathsOf(operation)} to ${session} (${text(operation.source)})`;
    case 'found':
      return `${severalNames(listOf(operation.paths).map(text))} by a search of ${session}`;
    case 'open-files-set': {
      const names = severalNames(listOf(operation.paths).map(text));
      const act = text(operation.act).replaceAll('-', ' ');
      return `${act}${names === '' ? '' : ` ${names}`} for ${session === '' ? 'all sessions' : session}`;
    }
    case 'patches-cleared':
      return session === '' ? 'of all sessions' : `of ${session}`;
    case 'changed':
      return `${pathsOf(operation)} by ${authorOf(operation.author)}${operation.cause === undefined ? '' : ` (${text(operation.cause)})`}`;
    case 'decided':
      return decidedText(operation);
    case 'attributed':
      return `${idsOf(operation.changes)} to ${authorOf(operation.author)}${operation.by === 'person' ? ', as a person said' : ''}`;
    case 'resolved':
      return `${text(operation.change)}, ${text(operation.take)} taken${filesText(operation)}`;
    case 'undone':
      return `operation ${text(operation.target)}${filesText(operation)}`;
    case 'restored':
      return `${text(operation.checkpoint)}${operation.way === 'keep-mine' ? ' around people’s edits' : ''}, ${counted(listOf(operation.files).length, 'file')}; how it was before is ${text(operation.rescue)}`;
    case 'forgotten':
      return `${counted(listOf(operation.contents).length, 'content')}${operation.path === undefined ? '' : ` of ${text(operation.path)}`}`;
    case 'worktree-made':
    case 'worktree-removed':
    case 'worktree-synced':
    case 'flowed':
      return placesText(operation, session);
    case 'checkpoint-saved':
      return `${text(operation.reason)} ${text(operation.message)}`.trimEnd();
    case 'log-salvaged':
      return `${counted(Number(operation.taken), 'operation')} taken over, the damaged log is kept as ${text(operation.aside)}`;
    case 'committed':
      return committedText(operation);
    default:
      return talkSummary(operation, session);
  }
}

/** Of what was said in a session. */
function talkSummary(operation: OperationWords, session: string): string {
  switch (operation.kind) {
    case 'message-added':
      return `${text(operation.role)}, for the ${text(operation.history)}, in ${session}`;
    case 'history-reduced':
      return `${session}: ${counted(listOf(operation.reductions).length, 'reduction')}`;
    case 'task-imported':
      return `${session}: ${counted(listOf(operation.taken).length, 'file')} of ${text(operation.dialect)}`;
    case 'transcript-read':
      return `${session}, ${text(operation.occasion)}`;
    default:
      return session;
  }
}

function committedText(operation: OperationWords): string {
  const head = text(operation.head).slice(0, 12);
  const accepted = listOf(operation.changes).map(text);
  return accepted.length === 0 ? `HEAD is ${head}, nothing pending in it` : `${head} accepts ${severalNames(accepted)}`;
}

/** What happened to a worktree, or between one and the workspace. */
function placesText(operation: OperationWords, session: string): string {
  if (operation.kind === 'worktree-made') return `${text(operation.path)} for ${session} (${text(operation.mode)})`;
  if (operation.kind !== 'flowed') return text(operation.worktree);
  const met = listOf(operation.conflicts).length;
  const side = operation.place === undefined ? `from ${text(operation.worktree)}` : `to ${text(operation.place)}`;
  return `${side}${filesText(operation)}${met === 0 ? '' : `, ${counted(met, 'conflict')}`}`;
}

function filesText(operation: OperationWords): string {
  const paths = pathsOf(operation);
  return paths === '' ? '' : `: ${paths}`;
}

function decidedText({ verdict, changes, hunks, cascaded, conflicts }: OperationWords): string {
  const inConflict = listOf(conflicts).map((one) => text((one as Readonly<Record<string, unknown>>).change));
  const whole = listOf(changes).map(text);
  const parts = listOf(hunks).map(text);
  const about = [...whole, ...parts.filter((id) => !whole.some((change) => id.startsWith(`${change}.`)))];
  return [
    ...(about.length === 0 ? [] : [`${text(verdict)} ${severalNames(about)}`]),
    ...(listOf(cascaded).length === 0 ? [] : [`with it ${severalNames(listOf(cascaded).map(text))}`]),
    ...(inConflict.length === 0 ? [] : [`${text(verdict)} ${severalNames(inConflict)}: in conflict`]),
  ].join(', ');
}

function authorOf(author: unknown): string {
  if (typeof author !== 'object' || author === null || !('kind' in author)) return '?';
  const { kind, agent, tool } = author as Readonly<Record<string, unknown>>;
  return kind === 'agent' ? `${agent === 'unknown' ? 'agent' : text(agent)} · ${text(tool)}` : text(kind);
}

function idsOf(changes: unknown): string {
  return severalNames(listOf(changes).map((change) => text((change as Readonly<Record<string, unknown>>).id)));
}

function pathsOf(operation: OperationWords): string {
  return severalNames(listOf(operation.files).map((file) => text((file as Readonly<Record<string, unknown>>).path)));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? harmless(String(value)) : '';
}

function firstLine(said: string): string {
  const line = said.split('\u240a')[0]!;
  return line.length > 72 ? `${line.slice(0, 71)}…` : line;
}
