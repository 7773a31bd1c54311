import type { FileChange } from '../file.js';
import { asCallId, asSeq, asSessionId, type ChangeId, type CheckpointId, type ContentId, type HunkId } from '../ids.js';
import type { Operation, OperationBody } from '../operation.js';
import { asPath } from '../path.js';
import type { LineSpan } from '../span.js';

/**
 * A log written as a line of words, one step between dots:
 *
 *   show S a v1 [5-9] · mention S a v1 · edit S a v1 v2 [@5+2] · shell S a v1 v2 [@5+2] · human a v1 v2 · move S a b v1 · cut S · ack S 3
 *   say S · tell S · rewind S 3 (a message of the model's history, of the human's, and back to after operation 3)
 *   rewrite a v1 v2 [@5+2] · accept c1.1 · reject c1.1 · acceptHunk c1.1.1 · undo 4 · checkpoint · forgetCheckpoint k2 · start S · end S · delete S
 *
 *   open S a · pin S a · unpin S a · close S a · clear S · clearPins S · found S a · begin S call · finish S call failed · clearPatches S
 *
 *   worktree S · in w1 a v1 v2 [@5+2] (S edits in the worktree) · flow w1 a v1 v2 [@5+2] (into it) · unworktree w1
 *
 * `v1` stands for a content, `*` for all sessions, `-` for none. `@5-2+3` says that at line 5 two lines became three.
 */
export function story(text: string): readonly Operation[] {
  const steps = text.split('·').map((step) => step.trim());
  return steps.filter((step) => step !== '').map((step, index) => stamp(index + 1, bodyOf(step.split(/\s+/))));
}

export function contentNamed(name: string): ContentId {
  const hex = Array.from(name, (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return hex.padEnd(40, '0').slice(0, 40) as ContentId;
}

export function stamp(seq: number, body: OperationBody): Operation {
  return { seq: asSeq(seq), at: seq * 1000, ...body };
}

function bodyOf(words: readonly string[]): OperationBody {
  const [verb, first = '', second = '', third = '', fourth = '', fifth] = words;
  const session = asSessionId(first || 'S');
  switch (verb) {
    case 'start':
      return { kind: 'session-started', session, agent: 'test', title: '' };
    case 'end':
      return { kind: 'session-ended', session };
    case 'delete':
      return { kind: 'session-deleted', session };
    case 'show':
    case 'mention': {
      const lines = /^(\d+)-(\d+)$/.exec(fourth);
      const shown = { path: asPath(second), content: contentNamed(third) };
      const file = lines === null ? shown : { ...shown, lines: { from: Number(lines[1]), to: Number(lines[2]) } };
      return { kind: 'shown', session, source: verb === 'show' ? 'read' : 'mention', files: [file] };
    }
    case 'cut':
      return { kind: 'context-cut', session };
    case 'comment':
      return { kind: 'commented', comments: [{ session, path: asPath(second), text: 'said' }] };
    case 'ack':
      return { kind: 'acknowledged', session, upTo: asSeq(Number(second)) };
    case 'edit':
      return changedBy(first, fileChange(second, third, fourth, fifth));
    case 'shell':
      return changedBy(first, fileChange(second, third, fourth, fifth), 'Bash');
    case 'move':
      return changedBy(first, { ...fileChange(third, fourth, fourth), fromPath: asPath(second) });
    case 'human':
      return {
        kind: 'changed',
        author: { kind: 'human' },
        evidence: 'inferred',
        files: [fileChange(first, second, third, fourth)],
      };
    case 'rewrite':
      return { kind: 'undone', target: asSeq(1), files: [fileChange(first, second, third, fourth)] };
    case 'accept':
    case 'reject':
      return decided(verb, { changes: [first as ChangeId] });
    case 'acceptHunk':
    case 'rejectHunk':
      return decided(verb === 'acceptHunk' ? 'accept' : 'reject', { hunks: [first as HunkId] });
    case 'undo':
      return { kind: 'undone', target: asSeq(Number(first)), files: [] };
    case 'say':
    case 'tell': {
      const body = { json: JSON.stringify({ role: 'user', blocks: [{ type: 'text', text: second }] }) };
      const history = verb === 'say' ? 'model' : 'human';
      return { kind: 'message-added', session, history, role: 'user', form: 'blocks', body, calls: [] };
    }
    case 'rewind': {
      const conversation = { session, upTo: asSeq(Number(second)) };
      const checkpoint = { checkpoint: 'k1' as CheckpointId, rescue: 'k1' as CheckpointId };
      return { kind: 'restored', ...checkpoint, mode: 'conversation', takenBack: [], conversation, files: [] };
    }
    case 'open':
    case 'pin':
    case 'unpin':
    case 'close':
      return { kind: 'open-files-set', session: sessionOrAll(first), act: verb, paths: words.slice(2).map(asPath) };
    case 'clear':
    case 'clearPins':
      return {
        kind: 'open-files-set',
        session: sessionOrAll(first),
        act: verb === 'clear' ? 'clear' : 'clear-pins-too',
        paths: [],
      };
    case 'found':
      return { kind: 'found', session, paths: words.slice(2).map(asPath) };
    case 'clearPatches':
      return { kind: 'patches-cleared', session: sessionOrAll(first) };
    case 'begin':
    case 'denied':
      return {
        kind: 'call-began',
        ...{ session, call: asCallId(second), tool: 'Edit', action: 'edit', names: [], input: null },
        decision: verb === 'begin' ? 'allow' : 'deny',
      };
    case 'finish':
      return { kind: 'call-ended', session, call: asCallId(second), outcome: third as 'ok' | 'failed' | 'expired' };
    case 'worktree':
      return { kind: 'worktree-made', session, path: '/w', mode: 'auto', base: 'k1' as never, name: 's', portBase: 1 };
    case 'in':
      return { ...changedBy('S', fileChange(second, third, fourth, fifth)), place: first as never } as OperationBody;
    case 'flow': {
      const files = [fileChange(second, third, fourth, fifth)];
      return { kind: 'flowed', worktree: first as never, place: first as never, files };
    }
    case 'unworktree':
      return { kind: 'worktree-removed', worktree: first as never };
    case 'checkpoint':
      return { kind: 'checkpoint-saved', commit: 'c', tree: 't', reason: 'manual', files: 1, uncovered: 0 };
    case 'forgetCheckpoint':
      return { kind: 'checkpoint-deleted', checkpoints: [first as never] };
    default:
      throw new Error(`no such step: ${words.join(' ')}`);
  }
}

function sessionOrAll(word: string) {
  return word === '*' ? null : asSessionId(word);
}

function changedBy(session: string, file: FileChange, tool: 'Edit' | 'Bash' = 'Edit'): OperationBody {
  const author = {
    kind: 'agent',
    session: asSessionId(session),
    agent: 'test',
    call: asCallId('call'),
    tool,
  } as const;
  return { kind: 'changed', author, evidence: tool === 'Edit' ? 'exact' : 'window', files: [file] };
}

function decided(verdict: 'accept' | 'reject', what: { changes?: ChangeId[]; hunks?: HunkId[] }): OperationBody {
  return { kind: 'decided', verdict, hunks: [], changes: [], cascaded: [], conflicts: [], files: [], ...what };
}

function fileChange(path: string, before: string, after: string, spans = ''): FileChange {
  const version = (name: string) =>
    name === '-' ? null : { content: contentNamed(name), mode: '100644' as const, size: 1 };
  return {
    path: asPath(path),
    before: version(before),
    after: version(after),
    binary: false,
    reversible: true,
    spans: spans.split(',').filter(Boolean).map(span),
  };
}

/** `@5-2+3`: at line 5, two lines became three. The new position is right for a single span, which stories use. */
function span(text: string): LineSpan {
  const match = /^@(\d+)(?:-(\d+))?(?:\+(\d+))?$/.exec(text);
  if (match === null) throw new Error(`no such span: ${text}`);
  const [at, removed, added] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
  return {
    oldStart: removed === 0 ? at - 1 : at,
    oldLines: removed,
    newStart: added === 0 ? at - 1 : at,
    newLines: added,
  };
}
