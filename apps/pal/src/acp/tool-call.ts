import { type Payload, payloadOf, textAt } from '../agents/payload.js';

/** What is known of a call of the agent. It is told in pieces, and a later piece takes the place of an earlier one. */
export type ToolCall = {
  readonly id: string;
  readonly kind: string | undefined;
  readonly status: string | undefined;
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly input: Payload;
  readonly diff: Diff | null;
  readonly paths: readonly string[];
  readonly output: string | undefined;
};

type Diff = { readonly path: string; readonly newText: string };

export function toolCallOf(told: Payload, before: ToolCall | undefined): ToolCall | null {
  const id = textAt(told, 'toolCallId');
  if (id === undefined) return null;
  const input = payloadOf(told.rawInput);
  const content = (Array.isArray(told.content) ? told.content : []).map(payloadOf);
  const paths = (Array.isArray(told.locations) ? told.locations : []).flatMap(
    (each) => textAt(payloadOf(each), 'path') ?? [],
  );
  return {
    id,
    kind: textAt(told, 'kind') ?? before?.kind,
    status: textAt(told, 'status') ?? before?.status,
    name: textAt(told, 'name') ?? before?.name,
    title: textAt(told, 'title') ?? before?.title,
    input: Object.keys(input).length > 0 ? input : (before?.input ?? {}),
    diff: content.map(diffOf).find((diff) => diff !== null) ?? before?.diff ?? null,
    paths: paths.length > 0 ? paths : (before?.paths ?? []),
    output: content.map(textOf).find((text) => text !== undefined) ?? before?.output,
  };
}

/**
 * The call by a name and an input that we know; null as long as too little of it is. What the agent gave its own tool
 * comes first. Without that, the kind says what sort of tool it is, and a diff, which has the whole text by the protocol,
 * what the file is to hold.
 */
export function knownCall(call: ToolCall): { readonly tool: string; readonly input: object } | null {
  const { name, kind, title, input, diff, paths } = call;
  const tool = name ?? TOOLS[kind ?? ''];
  const path = paths[0];
  if (Object.keys(input).length > 0) return { tool: tool ?? title ?? 'other', input };
  if (diff !== null) return { tool: 'Write', input: { path: diff.path, content: diff.newText } };
  if (kind === 'execute') return title === undefined ? null : { tool: 'Bash', input: { command: title } };
  if (tool === undefined) return null;
  return kind === 'edit' || path === undefined ? null : { tool, input: { path } };
}

/** By the kinds of the protocol. Thinking and switching modes touch no file. */
const TOOLS: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Grep',
  execute: 'Bash',
  fetch: 'WebFetch',
  think: 'think',
  switch_mode: 'switch_mode',
};

function diffOf(content: Payload): Diff | null {
  const path = textAt(content, 'path');
  const newText = textAt(content, 'newText');
  return content.type !== 'diff' || path === undefined || newText === undefined ? null : { path, newText };
}

function textOf(content: Payload): string | undefined {
  return content.type === 'content' ? textAt(payloadOf(content.content), 'text') : undefined;
}
