import type { ChangeJson, SessionJson, TimelineEntryJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { folded } from './folded.js';
import { harmless, harmlessLines } from './harmless.js';

export type Prompt = { readonly turn: string; readonly text: string; readonly at: string };
export type SessionFacts = {
  readonly session: SessionJson;
  readonly prompts: readonly Prompt[];
  /** All of the session, oldest first. */
  readonly changes: readonly ChangeJson[];
  /** What was said and done, where that is known. */
  readonly timeline?: readonly TimelineEntryJson[];
};

const TITLE_LENGTH = 72;
const STATUSES = ['accepted', 'rejected', 'pending', 'conflict'] as const;

/** A session as Markdown that one would paste into a pull request: what was asked, and what came of it. */
export function sessionReport({ session, prompts, changes, timeline = [] }: SessionFacts): string {
  const asked = withSaid(prompts, timeline);
  const parts = [
    `## ${titleOf(session, asked)}`,
    [sourceLine(session), sumLine(changes)].map((line) => `- ${line}`).join('\n'),
    conversationText(timeline.filter(({ at }) => asked[0] === undefined || at < asked[0].at)),
    ...asked.flatMap((prompt, index) => {
      const heading = asked.length === 1 ? [] : [`### ${index + 1}. ${escaped(firstLine(prompt.text))}`];
      const until = asked[index + 1]?.at;
      const followed = timeline.filter(({ at }) => at >= prompt.at && (until === undefined || at < until));
      return [
        ...heading,
        quotation(prompt.text),
        conversationText(followed),
        changeTable(changes.filter((change) => promptOf(change, asked) === prompt)),
      ];
    }),
    changeTable(changes.filter((change) => promptOf(change, asked) === null)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Prompts that hooks announced; where there was none, what the human said in the conversation. */
function withSaid(prompts: readonly Prompt[], timeline: readonly TimelineEntryJson[]): readonly Prompt[] {
  if (prompts.length > 0) return prompts;
  return timeline.flatMap(({ kind, role, text, at, seq, summary }) =>
    kind === 'message' && role === 'user' && summary !== true
      ? [{ turn: `${seq}`, text: typeof text === 'string' ? text : '', at }]
      : [],
  );
}

/** What the agent answered, and which tools it used, in order. */
function conversationText(entries: readonly TimelineEntryJson[]): string {
  const parts: string[] = [];
  let calls: string[] = [];
  const flush = () => {
    if (calls.length > 0) parts.push(calls.join('\n'));
    calls = [];
  };
  for (const { kind, role, text, tool, about, outcome } of entries) {
    if (kind === 'call') {
      const failed = outcome === 'failed' || outcome === 'denied' ? `, ${outcome}` : '';
      const what = typeof about === 'string' && about !== '' ? ` ${code(firstLine(about))}` : '';
      calls.push(`- ${escaped(String(tool))}${what}${failed}`);
    } else if (kind === 'message' && role === 'assistant' && typeof text === 'string') {
      flush();
      parts.push(answerText(text));
    }
  }
  flush();
  return parts.join('\n\n');
}

/** Code that stands between fences stays so; everything else is text. */
function answerText(text: string): string {
  return text
    .trim()
    .split(/^(`{3,}[^\n]*\n[\s\S]*?^`{3,}[ \t]*$)/m)
    .map((part, index) => (index % 2 === 1 ? harmlessLines(part) : part.split('\n').map(escaped).join('\n')))
    .join('');
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
