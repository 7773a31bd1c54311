import { asFailure, type Failure } from '../face/failure.js';
import { harmlessLines } from '../print/harmless.js';
import { spokenHint } from './spoken-hint.js';
import type { Context, Tool } from './tools/tool.js';

/** A tool result as it goes over the wire. */
export type ToolAnswer = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta?: Record<string, unknown>;
};

/**
 * Runs a tool on arguments that fit its schema. Whatever goes wrong is an answer: the model reads it and can do something
 * about it, which it could not with a protocol error.
 */
export async function dispatch(tool: Tool, asked: Record<string, unknown>, context: Context): Promise<ToolAnswer> {
  try {
    const { text, data } = await tool.run(asked, context);
    // Clients check the data against the schema, which allows nothing more than it names.
    const checked = tool.output === null ? {} : { structuredContent: tool.output.parse(data) };
    return { content: [{ type: 'text', text }], ...checked };
  } catch (error) {
    return answerOfFailure(asFailure(error));
  }
}

export const ERROR_META = 'palimpsest/error';

function answerOfFailure(failure: Failure): ToolAnswer {
  const { code, message, hint: typed } = failure;
  const { hint: _, ...error } = failure.toJSON().error;
  const hint = spokenHint(code, typed);
  const text = harmlessLines([message, ...(hint === undefined ? [] : [`(${hint})`])].join('\n'));
  const meta = { [ERROR_META]: hint === undefined ? error : { ...error, hint } };
  return { content: [{ type: 'text', text }], isError: true, _meta: meta };
}
