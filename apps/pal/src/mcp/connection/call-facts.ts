import { FOREIGN_ID_LENGTH_LIMIT } from '@palimpsest/core';

/** What a client says about a call besides its arguments. Null where it does not say. */
export type CallFacts = { readonly session: string | null; readonly callId: string | null };

/**
 * Codex sends the id of its thread, which its hooks call the session; Claude Code the id that its hooks give the call.
 * Whatever else stands there is not looked at.
 */
export function callFactsOf(meta: unknown): CallFacts {
  const fields = (typeof meta === 'object' && meta !== null ? meta : {}) as Readonly<Record<string, unknown>>;
  return { session: idIn(fields.threadId), callId: idIn(fields['claudecode/toolUseId']) };
}

/** Clients put the server's name before the tool's, each with a separator of its own. */
export function isSameTool(named: string, tool: string): boolean {
  return named === tool || (named.endsWith(tool) && /[^a-z0-9]/i.test(named.charAt(named.length - tool.length - 1)));
}

function idIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= FOREIGN_ID_LENGTH_LIMIT ? value : null;
}
