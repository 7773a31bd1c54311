import { type Payload, payloadOf, textAt } from '../agents/payload.js';

/** What is known of a call of the agent. It is told in pieces, and a later piece takes the place of an earlier one. */
export type ToolCall = {
  readonly id: string;
  readonly kind: string | undefined;
  readonly status: string | undefined;
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly input: Payload;
  readonly diffs: readonly Diff[];
  readonly paths: readonly string[];
  readonly output: string | undefined;
};

type Diff = { readonly path: string; readonly newText: string };

export function toolCallOf(told: Payload, before: ToolCall | undefined): ToolCall | null {
  const id = textAt(told, 'toolCallId');
  if (id === undefined) return null;
  const input = payloadOf(told.rawInput);
  const content = (Array.isArray(told.content) ? told.content : []).map(payloadOf);
  const diffs = content.flatMap(diffOf);
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
    diffs: diffs.length > 0 ? diffs : (before?.diffs ?? []),
    paths: paths.length > 0 ? paths : (before?.paths ?? []),
    output: content.map(textOf).find((text) => text !== undefined) ?? before?.output,
  };
}

/**
 * The call by a name and an input that we know; null as long as too little of it is. What the agent gave its own tool
 * comes first. Without that, the kind says what sort of tool it is, and a diff, which has the whole text by the protocol,
 * what the file is to hold. Several diffs name their files, and nothing more is known of what else the call writes.
 */
export function knownCall(call: ToolCall): { readonly tool: string; readonly input: object } | null {
  const { name, kind, title, input, diffs, paths } = call;
  const tool = TOOLS[kind ?? ''];
  if (Object.keys(input).length > 0) return { tool: name ?? tool ?? title ?? 'other', input };
  const [diff, ...others] = diffs;
  if (others.length > 0) return { tool: 'edit_many', input: { files: diffs.map(({ path }) => ({ path })) } };
  if (diff !== undefined) return { tool: 'Write', input: { path: diff.path, content: diff.newText } };
  if (kind === 'execute') return title === undefined ? null : { tool: 'Bash', input: { command: title } };
  const path = paths[0];
  return tool === undefined || kind === 'edit' || path === undefined ? null : { tool, input: { path } };
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

function diffOf(content: Payload): readonly Diff[] {
  const path = textAt(content, 'path');
  const newText = textAt(content, 'newText');
  return content.type !== 'diff' || path === undefined || newText === undefined ? [] : [{ path, newText }];
}

function textOf(content: Payload): string | undefined {
  return content.type === 'content' ? textAt(payloadOf(content.content), 'text') : undefined;
}
