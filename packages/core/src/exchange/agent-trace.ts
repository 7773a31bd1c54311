import { type AttributedFile, type AttributedLines, groupedBy, type LineAuthor } from './attributed.js';

/*
 * A trace record of Agent Trace 0.1. Its schema wants two numbers as the version, though its examples have three; readers
 * go by the schema. A conversation is one session on one model; we have no address at which to look one up, so the session
 * is named as a related resource.
 */

export type TraceFacts = {
  readonly id: string;
  /** RFC 3339. */
  readonly timestamp: string;
  /** The commit that the line numbers are of; null where they are of no commit. */
  readonly revision: string | null;
  readonly tool: { readonly name: string; readonly version: string };
};

const VERSION = '0.1';
const MODEL_LENGTH_LIMIT = 250;
/** Models whose names say who makes them, and what models.dev calls that maker. */
const MAKERS: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(gpt|o\d|codex)-/, 'openai'],
  [/^gemini-/, 'google'],
];

export function agentTrace(files: readonly AttributedFile[], { id, timestamp, revision, tool }: TraceFacts) {
  return {
    version: VERSION,
    id,
    timestamp,
    ...(revision === null ? {} : { vcs: { type: 'git', revision } }),
    tool,
    files: files.map(({ path, stretches }) => ({
      path,
      conversations: [...groupedBy(stretches, conversationOf).values()].map(conversation),
    })),
  };
}

function conversationOf({ kind, session = '', model = '' }: LineAuthor): string {
  return kind === 'agent' ? JSON.stringify([session, model]) : kind;
}

function conversation(stretches: readonly AttributedLines[]) {
  const { kind, session, model } = stretches[0]!.author;
  const ranges = stretches.map(({ from, to }) => ({ start_line: from, end_line: to }));
  if (kind !== 'agent') return { contributor: { type: kind }, ranges };
  return {
    contributor: { type: 'ai', ...(model === undefined ? {} : { model_id: modelId(model) }) },
    ranges,
    related: [{ type: 'session', url: `urn:palimpsest:session:${encodeURIComponent(session ?? '')}` }],
  };
}

function modelId(model: string): string {
  const maker = model.includes('/') ? undefined : MAKERS.find(([names]) => names.test(model))?.[1];
  return (maker === undefined ? model : `${maker}/${model}`).slice(0, MODEL_LENGTH_LIMIT);
}
