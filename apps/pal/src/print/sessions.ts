import type { SessionJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { type Cell, table } from './table.js';
import { ago } from './time.js';

export function sessionsText(sessions: readonly SessionJson[], style: Style): string {
  const columns = [
    { title: 'SESSION', yields: true as const },
    { title: 'AGENT', yields: true as const },
    { title: 'STATE' },
    { title: 'PENDING', align: 'right' as const },
    { title: 'STARTED', drops: 1 },
    { title: 'TITLE', yields: true as const },
  ];
  const rows = sessions.map((session): readonly Cell[] => [
    { text: harmless(session.id), paint: style.paint.name },
    { text: harmless(session.agent) },
    { text: session.state, paint: session.state === 'active' ? style.paint.good : style.paint.quiet },
    { text: String(session.pending), ...(session.pending > 0 ? { paint: style.paint.careful } : {}) },
    { text: ago(session.startedAt, style.now), paint: style.paint.quiet },
    { text: harmless(session.title) },
  ]);
  return table(columns, rows, { width: style.width, paintTitle: style.paint.quiet });
}

export function sessionText(session: SessionJson, { paint, now }: Style): string {
  const facts: readonly (readonly [string, string])[] = [
    ['agent', harmless(session.agent)],
    ['state', session.state],
    ['started', `${ago(session.startedAt, now)}  (${session.startedAt})`],
    ...(session.endedAt === undefined
      ? []
      : [['ended', `${ago(session.endedAt, now)}  (${session.endedAt})`] as const]),
    ...(session.turn === undefined ? [] : [['turn', harmless(session.turn)] as const]),
    ...(session.worktree === undefined
      ? []
      : [['worktree', `${harmless(session.worktree.path)} (${session.worktree.mode})`] as const]),
    ['pending', counted(session.pending, 'change')],
  ];
  const title = session.title === '' ? '' : `  ${harmless(session.title)}`;
  return [
    `${paint.name(harmless(session.id))}${title}`,
    ...facts.map(([name, value]) => `  ${paint.quiet(name.padEnd(9))}${value}`),
  ].join('\n');
}
