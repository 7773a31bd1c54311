import { isAbsolute } from 'node:path';
import { payloadOf, textAt } from '../agents/payload.js';
import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { Failure } from '../face/failure.js';

/**
 * Claude Code wants a worktree and has left its making to us. When it is for a session that has not begun, the worktree is
 * that session's; one for a subagent, or in the middle of a session, gets a session of its own around it. Answers the folder.
 */
export async function claudeWorktree(face: Face, mode: 'auto' | 'review'): Promise<string> {
  const payload = payloadOf(await face.input());
  const session = textAt(payload, 'session_id');
  const cwd = textAt(payload, 'cwd');
  if (session === undefined || cwd === undefined || !isAbsolute(cwd))
    throw new Failure('bad-input', 'the payload names no session, or no folder', 'this is for Claude Code to run');
  const name = textAt(payload, 'name') ?? textAt(payload, 'worktree_name') ?? 'worktree';
  const client = await clientOf({ ...face, directory: cwd });
  const isKnown = (await client.getSession({ params: { session } })).ok;
  const own = isKnown ? { id: `${session}.${name}`, parent: session } : { id: session };
  const body = { ...own, agent: 'claude', title: `worktree ${name}`, worktree: mode };
  const { worktree } = said(await client.startSession({ body })).session;
  if (worktree === undefined) throw new Failure('not-made', `no worktree was made for ${own.id}`);
  return worktree.path;
}
