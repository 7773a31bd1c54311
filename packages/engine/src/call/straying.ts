import { join } from 'node:path';
import { spokenPath } from '@palimpsest/core';
import { type PathResolver, planCall, type ToolCall } from '../look/call-plan.js';
import type { Finding } from './guard.js';

/** Where a call runs, and what finds the paths of the workspace's own folder if that is elsewhere. */
type Ground = { readonly root: string; readonly strays: PathResolver | null };

/**
 * A session in a worktree that names files of the workspace's own folder would change what the human has, past all that
 * isolates it. A shell command is never refused for what it is merely predicted to write; it is warned.
 */
export function strayFindings(call: ToolCall, { root, strays }: Ground): readonly Finding[] {
  if (strays === null) return [];
  const plan = planCall(call, [], strays);
  const decision = plan.action === 'shell' ? 'warn' : 'deny';
  return [...plan.writes.keys()].map((path) => ({
    ...{ path, state: 'never-seen', decision },
    text: `This session works in a worktree of its own, and that file is in the workspace of the human. Write ${spokenPath(join(root, path))} instead: it comes to the workspace from there.`,
  }));
}
