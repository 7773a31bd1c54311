import type { LineAuthor } from './attributed.js';

export type AssistedBy = {
  /** Tools of analysis that were used, which nobody but a person can tell from other tools. */
  readonly tools: readonly string[];
  /** `LLM` in the place of agent and model is what the Linux kernel asks for since 2026-08. */
  readonly naming: 'agent' | 'llm';
};

/** `Assisted-by: AGENT:MODEL TOOL…` for a commit message, one for each agent and model among these. */
export function assistedBy(authors: readonly LineAuthor[], { tools, naming }: AssistedBy): readonly string[] {
  const names = authors
    .filter(({ kind }) => kind === 'agent')
    .map((author) => (naming === 'llm' ? 'LLM' : name(author)));
  return [...new Set(names)].map((assistant) => ['Assisted-by:', assistant, ...tools.map(oneWord)].join(' '));
}

function name({ agent = 'unknown', model }: LineAuthor): string {
  const called = oneWord(agent).replaceAll(':', '-');
  return model === undefined ? called : `${called}:${oneWord(model)}`;
}

/** A trailer is one line, and blanks end a name in it. */
function oneWord(text: string): string {
  return text.trim().replace(/[\s\p{Cc}]+/gu, '-');
}
