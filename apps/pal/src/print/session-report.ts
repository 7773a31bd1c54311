import type { ChangeJson, SessionJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { folded } from './folded.js';
import { harmless } from './harmless.js';

export type Prompt = { readonly turn: string; readonly text: string; readonly at: string };
export type SessionFacts = {
  readonly session: SessionJson;
  readonly prompts: readonly Prompt[];
  /** All of the session, oldest first. */
  readonly changes: readonly ChangeJson[];
};

const TITLE_LENGTH = 72;
const STATUSES = ['accepted', 'rejected', 'pending', 'conflict'] as const;

/** A session as Markdown that one would paste into a pull request: what was asked, and what came of it. */
export function sessionReport({ session, prompts, changes }: SessionFacts): string {
  const parts = [
    `## ${titleOf(session, prompts)}`,
    [sourceLine(session), sumLine(changes)].map((line) => `- ${line}`).join('\n'),
    ...prompts.flatMap((prompt, index) => {
      const heading = prompts.length === 1 ? [] : [`### ${index + 1}. ${escaped(firstLine(prompt.text))}`];
      return [
        ...heading,
        quotation(prompt.text),
        changeTable(changes.filter((change) => promptOf(change, prompts) === prompt)),
      ];
    }),
    changeTable(changes.filter((change) => promptOf(change, prompts) === null)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function titleOf({ title, agent, id }: SessionJson, prompts: readonly Prompt[]): string {
  const said = title === '' ? firstLine(prompts[0]?.text ?? '') : title;
  return escaped(said === '' ? `${agent}, session ${id}` : said);
}

function sourceLine({ agent, model, id, startedAt, endedAt }: SessionJson): string {
  const on = model === undefined ? '' : ` on ${code(model)}`;
  const when = endedAt === undefined ? `since ${minute(startedAt)}` : `${minute(startedAt)} to ${minute(endedAt)}`;
  return `${escaped(agent)}${on}, session ${code(id)}, ${when}`;
}

function sumLine(changes: readonly ChangeJson[]): string {
  const files = new Set(changes.map(({ movedTo, path }) => movedTo ?? path)).size;
  const sum = (side: 'added' | 'removed') => changes.reduce((total, change) => total + change[side], 0);
  const verdicts = STATUSES.map(
    (status) => [changes.filter((change) => change.status === status).length, status] as const,
  )
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status === 'conflict' ? 'in conflict' : status}`);
  if (changes.length === 0) return 'no changes';
  return `${counted(changes.length, 'change')} in ${counted(files, 'file')}, +${sum('added')} −${sum('removed')} lines: ${verdicts.join(', ')}`;
}

/** By its turn, or else the last that was asked before. */
function promptOf({ turn, at }: ChangeJson, prompts: readonly Prompt[]): Prompt | null {
  const ofTurn = prompts.findLast((prompt) => turn !== undefined && prompt.turn === turn);
  return ofTurn ?? prompts.findLast((prompt) => prompt.at <= at) ?? null;
}

function changeTable(changes: readonly ChangeJson[]): string {
  if (changes.length === 0) return '';
  const rows = changes.map(({ path, fromPath, kind, tool, added, removed, status, comment }) => {
    const file = fromPath === undefined ? code(path) : `${code(fromPath)} → ${code(path)}`;
    const verdict = comment === undefined ? status : `${status}: ${escaped(comment)}`;
    return `| ${[file, kind, escaped(tool ?? ''), `+${added} −${removed}`, verdict].join(' | ')} |`;
  });
  return ['| File | Change | Tool | Lines | Verdict |', '|---|---|---|---|---|', ...rows].join('\n');
}

function quotation(text: string): string {
  return folded(text.trim(), 100)
    .map((line) => `> ${escaped(line)}`.trimEnd())
    .join('\n');
}

function firstLine(text: string): string {
  const line = text.trim().split('\n')[0]!.trim();
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}

function minute(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Text of others stays text: no HTML, no entities, no table cells, no headings (nor a line that makes one of the line
 * above), no bullets, no mentions that call people, and no numbers that refer to issues, which a "fixes" would close.
 */
function escaped(text: string): string {
  return harmless(text)
    .replace(/[\\`*_[\]<>|#~&]|^[-=+]/g, '\\$&')
    .replace(/[@#]|\bGH-(?=\d)/gi, '$&\u200b');
}

function code(text: string): string {
  return `\`${harmless(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
