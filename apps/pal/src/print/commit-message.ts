import { assistedBy } from '@palimpsest/core';
import type { ContributionJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { authorsOf, type FileSummary, filesOf } from './contribution.js';
import { folded } from './folded.js';
import { harmless } from './harmless.js';

export type CommitMessage = {
  readonly message: string;
  readonly prompts: readonly { readonly agent: string; readonly session: string; readonly text: string }[];
  readonly files: readonly FileSummary[];
  readonly trailers: readonly string[];
};

const SUBJECT_LIMIT = 72;
/** So much of a prompt says what was wanted; the rest is detail. */
const PROMPT_LINES = 6;
const FILES_NAMED = 30;

export function commitMessage(contributions: readonly ContributionJson[]): CommitMessage {
  const authors = contributions.flatMap(authorsOf);
  const prompts = new Map(
    authors.flatMap(({ agent = 'agent', session, prompt }) =>
      session === undefined || prompt === undefined || prompt.trim() === ''
        ? []
        : [[JSON.stringify([session, prompt]), { agent, session, text: prompt.trim() }] as const],
    ),
  );
  const asked = [...prompts.values()];
  const files = filesOf(contributions);
  const trailers = assistedBy(authors, { tools: [], naming: 'agent' });
  const parts = [
    subjectOf(asked[0]?.text, files),
    ...asked.map(({ agent, text }) => `${harmless(agent)} was asked:\n${quotedPrompt(text)}`),
    fileLines(files).join('\n'),
    trailers.join('\n'),
  ];
  return { message: parts.filter((part) => part !== '').join('\n\n'), prompts: asked, files, trailers };
}

function subjectOf(prompt: string | undefined, files: readonly FileSummary[]): string {
  const first = prompt?.split('\n')[0]?.trim().replace(/[.:]$/, '');
  // Git takes a line that begins with # for a comment.
  if (first !== undefined && /^[^#\s]/.test(first)) return cut(first);
  const [one, ...more] = files.map(({ path }) => harmless(path));
  return cut(more.length === 0 ? `Change ${one}` : `Change ${one} and ${counted(more.length, 'more file')}`);
}

function cut(text: string): string {
  if (text.length <= SUBJECT_LIMIT) return text;
  const words = text.slice(0, SUBJECT_LIMIT - 1);
  return `${words.slice(0, Math.max(words.lastIndexOf(' '), SUBJECT_LIMIT / 2)).trimEnd()}…`;
}

function quotedPrompt(text: string): string {
  const lines = folded(text, SUBJECT_LIMIT - 2);
  const shown = lines.length > PROMPT_LINES ? [...lines.slice(0, PROMPT_LINES), '…'] : lines;
  return shown.map((line) => `> ${line}`.trimEnd()).join('\n');
}

const DID = { create: 'new', modify: '', delete: 'deleted', rename: 'renamed' } as const;

function fileLines(files: readonly FileSummary[]): readonly string[] {
  const named = files.slice(0, FILES_NAMED).map(({ path, kind, added, removed, by }) => {
    const amounts = [added > 0 ? `+${added}` : '', removed > 0 ? `-${removed}` : ''].filter((amount) => amount !== '');
    const hands = by.map(({ who, tools }) => harmless(tools.length === 0 ? who : `${who} (${tools.join(', ')})`));
    const facts = [DID[kind], amounts.join(' '), hands.join(', ')].filter((fact) => fact !== '');
    const name = harmless(path);
    return facts.length === 0 ? `- ${name}` : `- ${name}: ${facts.join(', ')}`;
  });
  return files.length > FILES_NAMED ? [...named, `- and ${files.length - FILES_NAMED} more`] : named;
}
