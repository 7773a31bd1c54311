import { isAbsolute } from 'node:path';
import type { Agent } from '../../agents/agent.js';
import type { HookEvent, HookReply } from '../../agents/hook-event.js';
import type { HeardOf, Told } from '../transcripts/transcripts.js';
import type { HookSession } from './hook-memory.js';

/** Which transcripts an event gives reason to read, and why. The events of an agent that does not say where follow the last that did. */
export function toldBy(
  { agent, id, session }: { readonly agent: Agent; readonly id: string; readonly session: HookSession },
  event: HookEvent,
  reply: HookReply,
): readonly (Told & { readonly of: HeardOf })[] {
  session.transcript = pathOf(event.transcript) ?? session.transcript;
  const told = occasionOf(event, reply);
  if (told === null) return [];
  const of = { agent, session: id, workspace: session.workspace };
  const subagent = event.kind === 'pause' ? event.subagent : undefined;
  const own = pathOf(subagent?.transcript);
  return [
    ...(session.transcript === null ? [] : [{ ...told, of: { ...of, transcript: session.transcript } }]),
    ...(own === null || subagent === undefined
      ? []
      : [{ ...told, of: { ...of, transcript: own, agentId: subagent.agentId } }]),
  ];
}

function pathOf(told: string | undefined): string | null {
  return told !== undefined && isAbsolute(told) ? told : null;
}

function occasionOf(event: HookEvent, { deny }: HookReply): Told | null {
  switch (event.kind) {
    case 'prompt':
      return { occasion: 'prompt', ...(event.turn === undefined ? {} : { turn: event.turn }) };
    case 'tool-begin':
      // A call that is denied has no end.
      return deny === undefined ? null : { occasion: 'call', ...callOf(event) };
    case 'tool-end':
      return { occasion: 'call', ...callOf(event) };
    case 'pause':
      return { occasion: 'turn-end' };
    case 'session-end':
      return { occasion: 'session-end' };
    case 'session-start':
    case 'cut':
      return null;
  }
}

function callOf({ callId }: HookEvent & { kind: 'tool-begin' | 'tool-end' }): { readonly call?: string } {
  return typeof callId === 'string' ? { call: callId } : {};
}
