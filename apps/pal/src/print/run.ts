import type { ChangeJson } from '@palimpsest/protocol';
import { changesSummary } from './changes.js';
import { type FailureWords, failureText } from './failure.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';

export type RunWords = {
  readonly command: string;
  readonly session: string | null;
  readonly worktree: { readonly path: string; readonly mode: 'auto' | 'review' } | null;
  readonly end: { readonly exitCode: number; readonly signal: string | null; readonly fault: string | null };
  readonly changes: readonly ChangeJson[];
  readonly perhaps: readonly ChangeJson[];
  /** Whether something that it started goes on without it. */
  readonly running: boolean;
  readonly fault: (FailureWords & { readonly code: string }) | null;
};

/** Said after the command has had the terminal to itself, so each line says that it is from us. */
export function runText(words: RunWords, style: Style): string {
  const { command, session, worktree, end, changes, perhaps, running, fault } = words;
  const lines: string[] = [];
  if (end.fault !== null)
    lines.push(`${style.paint.bad('pal:')} ${harmless(command)} could not be started (${end.fault})`);
  if (end.signal !== null) lines.push(`pal: ${harmless(command)} was ended by ${end.signal}`);
  if (fault !== null) {
    lines.push(failureText(fault, style).trimEnd());
    lines.push(`pal: the command ran untracked${fault.code === 'not-a-workspace' ? '' : FOUND_LATER}`);
  } else {
    lines.push(`pal: ${changesSummary(changes, style, perhaps)}`);
    if (running) {
      lines.push('pal: something that it started still runs; what changes from now on may be its doing');
      lines.push(`  → \`pal session end ${harmless(session ?? '')}\` says that it is over`);
    }
  }
  if (worktree !== null) {
    lines.push(`pal: it worked in ${harmless(worktree.path)}`);
    lines.push(`  → \`pal worktree finish ${harmless(session ?? '')}\` brings in what is accepted and removes it`);
  }
  return lines.join('\n');
}

const FOUND_LATER = '; what it changed is found when the workspace is next opened';
