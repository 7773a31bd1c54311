import type { SessionJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { type Fact, factLines } from './facts.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { type Column, table } from './table.js';
import { ago } from './time.js';

export function sessionsText(sessions: readonly SessionJson[], style: Style): string {
  const { paint, now } = style;
  const columns: readonly Column<SessionJson>[] = [
    { title: 'SESSION', yields: true, text: ({ id }) => harmless(id), paint: () => paint.name },
    { title: 'AGENT', yields: true, text: ({ agent }) => harmless(agent) },
    {
      title: 'STATE',
      text: ({ state }) => state,
      paint: ({ state }) => (state === 'active' ? paint.good : paint.quiet),
    },
    {
      title: 'PENDING',
      align: 'right',
      text: ({ pending }) => String(pending),
      paint: ({ pending }) => (pending > 0 ? paint.careful : undefined),
    },
    { title: 'STARTED', drops: 1, text: ({ startedAt }) => ago(startedAt, now), paint: () => paint.quiet },
    { title: 'TITLE', yields: true, text: ({ title }) => harmless(title) },
  ];
  return table(columns, sessions, style);
}

export function sessionText(session: SessionJson, style: Style): string {
  const { paint, now } = style;
  const { endedAt, turn, worktree } = session;
  const moment = (at: string) => `${ago(at, now)}  (${at})`;
  const facts: readonly Fact[] = [
    ['agent', harmless(session.agent)],
    ['state', session.state],
    ['started', moment(session.startedAt)],
    ['ended', endedAt && moment(endedAt)],
    ['turn', turn && harmless(turn)],
    ['worktree', worktree && `${harmless(worktree.path)} (${worktree.mode})`],
    ['pending', counted(session.pending, 'change')],
  ];
  const title = session.title === '' ? '' : `  ${harmless(session.title)}`;
  return [`${paint.name(harmless(session.id))}${title}`, ...factLines(facts, 9, style)].join('\n');
}
