import type { HostedWorkspace } from './host/hosted-workspace.js';

export type IdleLimits = {
  /** How long nobody asks for anything before the daemon stops. */
  readonly daemonMs: number;
  /** How long nobody asks a workspace for anything before it is closed. */
  readonly workspaceMs: number;
  /** How long after its last sign of life a session that has not ended still counts as at work. */
  readonly sessionMs: number;
};

export const DEFAULT_IDLE_LIMITS: IdleLimits = {
  daemonMs: 30 * 60 * 1000,
  workspaceMs: 60 * 60 * 1000,
  sessionMs: 4 * 60 * 60 * 1000,
};

/**
 * Whether a session may still be at work: it said something lately, and it has not ended. A call that began long ago and
 * never ended keeps nothing alive; the engine finds such calls again when the workspace is opened.
 */
export function isAtWork(hosted: HostedWorkspace, now: number, { sessionMs }: IdleLimits): boolean {
  const { workedAt, workspace } = hosted;
  if (workedAt === null || now - workedAt >= sessionMs) return false;
  return workspace.sessions().some((session) => session.state === 'active');
}

export function isWorkspaceIdle(hosted: HostedWorkspace, now: number, limits: IdleLimits): boolean {
  return now - hosted.usedAt >= limits.workspaceMs && !isAtWork(hosted, now, limits);
}

export type DaemonUse = {
  readonly inFlight: number;
  readonly lastAt: number;
  readonly open: readonly HostedWorkspace[];
};

/** Listeners count as use: a page that somebody is looking at cannot start the daemon again. */
export function isDaemonIdle({ inFlight, lastAt, open }: DaemonUse, now: number, limits: IdleLimits): boolean {
  if (inFlight > 0 || now - lastAt < limits.daemonMs) return false;
  return open.every((hosted) => hosted.users === 0 && !isAtWork(hosted, now, limits));
}
