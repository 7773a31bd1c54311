import { type AttributedFile, groupedBy, type LineAuthor } from './attributed.js';

/*
 * The authorship log of the Git AI Standard 3.0.0, which is attached to a commit as a note: which lines of each file agents
 * wrote, and below a divider which agents those are. Lines that nobody is named for are left out, and deletions are not
 * part of it. Texts of prompts are not passed on. The format escapes nothing in a path.
 */

export const GIT_AI_NOTES = 'refs/notes/ai';

export type GitAiFacts = {
  /** What the lines were compared with. */
  readonly base: string | null;
  /** `Name <mail>`: who asked the agents, and wrote what people wrote. */
  readonly human: string | null;
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: (text: string) => string;
};

const SCHEMA = 'authorship/3.0.0';
const DIVIDER = '---';
const KEY_DIGITS = 14;
const NO_COMMIT = '0'.repeat(40);

/** Whether the format can name a file: a quotation mark would end the name, and a line feed would forge a line. */
export function hasGitAiName(path: string): boolean {
  return !/["\p{Cc}]/u.test(path);
}

/** Null where no agent wrote a line of a file that it can name: then there is nothing to attach. */
export function formatGitAiLog(files: readonly AttributedFile[], { base, human, sha256 }: GitAiFacts): string | null {
  const digits = (text: string) => sha256(text).slice(0, KEY_DIGITS);
  const sessionKey = ({ agent, session }: LineAuthor) => `s_${digits(`${agent}:${session}`)}`;
  const keyOf = (author: LineAuthor) => {
    if (author.kind === 'agent') return `${sessionKey(author)}::t_${digits(`${author.session}:${author.callId}`)}`;
    return author.kind === 'human' && human !== null ? `h_${digits(human)}` : null;
  };
  const told = files.filter(
    ({ path, stretches }) => hasGitAiName(path) && stretches.some(({ author }) => author.kind === 'agent'),
  );
  if (told.length === 0) return null;
  const lines = told.flatMap(({ path, stretches }) => [
    quoted(path),
    ...[...groupedBy(stretches, keyOf)].map(
      ([key, own]) => `  ${key} ${own.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(',')}`,
    ),
  ]);
  const authors = told.flatMap(({ stretches }) => stretches.map(({ author }) => author));
  const sessions = authors
    .filter(({ kind }) => kind === 'agent')
    .map((author) => [
      sessionKey(author),
      {
        agent_id: { tool: author.agent, id: author.session, model: author.model ?? 'unknown' },
        ...(human === null ? {} : { human_author: human }),
      },
    ]);
  const hasHuman = human !== null && authors.some(({ kind }) => kind === 'human');
  const metadata = {
    schema_version: SCHEMA,
    base_commit_sha: base ?? NO_COMMIT,
    prompts: {},
    sessions: Object.fromEntries(sessions),
    ...(hasHuman ? { humans: { [`h_${digits(human)}`]: { author: human } } } : {}),
  };
  return `${[...lines, DIVIDER, JSON.stringify(metadata, null, 2)].join('\n')}\n`;
}

/** Only a name that would read as something else. */
function quoted(path: string): string {
  return path === DIVIDER || /\s/.test(path) ? `"${path}"` : path;
}
