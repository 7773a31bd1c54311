import {
  type Author,
  type Candidate,
  countLines,
  type FileVersion,
  kindOfChange,
  type LineRange,
  type ReviewEntry,
  type ReviewHunk,
  UNRECORDED_CONTENT,
} from '@palimpsest/core';
import type { ChangeJson, HunkJson, VersionJson } from '../schemas/change.js';
import { instant } from './instant.js';

/** The name of the agent whose session that is, where it is known. */
export type AgentOf = (session: string) => string | undefined;
type CandidateJson = NonNullable<ChangeJson['candidates']>[number];

export function changeJson(entry: ReviewEntry, agentOf: AgentOf): ChangeJson {
  const { file, author } = entry;
  const hand = author.kind === 'agent' ? author : null;
  return {
    id: entry.id,
    seq: entry.seq,
    session: hand?.session ?? null,
    agent: hand?.agent ?? null,
    ...(entry.agentId === null ? {} : { agentId: entry.agentId }),
    ...(entry.turn === null ? {} : { turn: entry.turn }),
    ...(entry.messageIndex === null ? {} : { messageIndex: entry.messageIndex }),
    callId: hand?.call ?? null,
    tool: hand?.tool ?? null,
    path: file.path,
    ...(file.fromPath === undefined ? {} : { fromPath: file.fromPath }),
    ...(entry.path === file.path ? {} : { movedTo: entry.path }),
    kind: kindOfChange(file),
    before: versionJson(file.before),
    after: versionJson(file.after),
    binary: file.binary,
    reversible: file.reversible,
    incomplete: file.before?.content === UNRECORDED_CONTENT,
    evidence: entry.evidence,
    author: authorJson(author),
    ...(author.kind === 'unknown' && author.candidates.length > 0
      ? { candidates: candidatesJson(author.candidates, agentOf) }
      : {}),
    ...(entry.cause === null ? {} : { cause: entry.cause }),
    status: entry.status,
    ...(entry.comment === null ? {} : { comment: entry.comment }),
    ...conflictJson(entry),
    ...countLines(file.spans),
    hunks: entry.hunks.map(hunkJson),
    at: instant(entry.at),
  };
}

export function hunkJson(hunk: ReviewHunk): HunkJson {
  const { oldStart, oldLines, newStart, newLines } = hunk.span;
  return {
    id: hunk.id,
    oldStart,
    oldLines,
    newStart,
    newLines,
    status: hunk.status,
    ...(hunk.stale ? { stale: true } : {}),
    now: linesJson(hunk.now),
  };
}

export function linesJson(ranges: readonly LineRange[]): [number, number][] {
  return ranges.map(({ from, to }) => [from, to]);
}

function versionJson(version: FileVersion | null): VersionJson | null {
  return version === null ? null : { content: version.content, mode: version.mode, size: version.size };
}

function authorJson(author: Author): ChangeJson['author'] {
  if (author.kind !== 'agent') return { kind: author.kind };
  return { kind: 'agent', session: author.session, agent: author.agent, callId: author.call, tool: author.tool };
}

export function candidatesJson(candidates: readonly Candidate[], agentOf: AgentOf): CandidateJson[] {
  return candidates.map(({ session, call }) => {
    const agent = agentOf(session);
    return { session, callId: call, ...(agent === undefined ? {} : { agent }) };
  });
}

function conflictJson({ conflict }: ReviewEntry): Pick<ChangeJson, 'conflict'> {
  if (conflict === null) return {};
  const { base, ours, theirs, reason } = conflict;
  return { conflict: { base, ours, theirs, reason } };
}
