import type { ChangeJson, EndAnswerJson, NoticeJson } from '@palimpsest/protocol';
import { z } from 'zod';
import { failureOf, said } from '../../face/client.js';
import { asFailure, Failure } from '../../face/failure.js';
import { noticeLines } from '../../print/call.js';
import type { Context } from './tool.js';

export type GuardedCall = {
  /** The name under which the client called us. */
  readonly tool: string;
  /** What the engine knows it by: the plain name says exactly which files it touches. */
  readonly action: 'Read' | 'Edit' | 'Write';
  readonly input: Readonly<Record<string, unknown>>;
  /** The arguments as they came. */
  readonly asked: Readonly<Record<string, unknown>>;
};

export type Guarded<T> = {
  readonly value: T;
  readonly changes: readonly ChangeJson[];
  readonly notices: readonly NoticeJson[];
};

/** Does `work` as one call that the daemon knows of from beginning to end. It is not done at all when the guard says no. */
export async function guarded<T>(
  { connection, meta }: Context,
  { tool, action, input, asked }: GuardedCall,
  work: () => Promise<T>,
): Promise<Guarded<T>> {
  const client = await connection.client();
  const caller = await connection.caller(tool, meta, action === 'Read' ? null : asked);
  const call = { ...caller, tool: action, input, cwd: await connection.root() };
  const began = said(await client.beginCall({ body: call }));
  if (began.decision === 'deny') throw denied(began.reason ?? 'the edit is not allowed');
  let value: T;
  try {
    value = await work();
  } catch (error) {
    // Whether or not this is heard, the failure is what the client must learn.
    await client.endCall({ body: { ...call, ok: false } });
    throw asFailure(error);
  }
  const ended = await client.endCall({ body: { ...call, ok: true } });
  const { changes, notices } = ended.ok ? ended.value : unrecorded(failureOf(ended.error));
  return { value, changes, notices: distinct([...began.notices, ...notices]) };
}

export const NoticeOutput = z.object({ kind: z.string(), path: z.string().optional(), text: z.string() });

/** The part of a change that its maker wants to know. */
export const MadeChange = z.object({
  id: z.string().meta({ description: 'Its id, for pal_diff.' }),
  path: z.string(),
  kind: z.enum(['create', 'modify', 'delete', 'rename']),
  added: z.number(),
  removed: z.number(),
});

export function madeChange({ id, path, kind, added, removed }: ChangeJson): z.infer<typeof MadeChange> {
  return { id, path, kind, added, removed };
}

export function withNotices(text: string, notices: readonly NoticeJson[]): string {
  return [text, ...noticeLines(notices)].join('\n');
}

function denied(reason: string): Failure {
  return new Failure('denied', reason);
}

/** The work is done and stays done. The next look at the workspace finds what it changed. */
function unrecorded({ message }: Failure): Pick<EndAnswerJson, 'changes' | 'notices'> {
  const text = `It was done, but could not be recorded as yours: ${message}`;
  return { changes: [], notices: [{ kind: 'unrecorded', text }] };
}

function distinct(notices: readonly NoticeJson[]): readonly NoticeJson[] {
  return [...new Map(notices.map((notice) => [`${notice.kind} ${notice.path} ${notice.text}`, notice])).values()];
}
