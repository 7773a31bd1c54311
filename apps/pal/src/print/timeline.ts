import type { ChangeJson, TimelineEntryJson } from '@palimpsest/protocol';
import { hanging } from './folded.js';
import { harmless, harmlessLines } from './harmless.js';
import type { Style } from './style.js';
import { clock } from './time.js';
import { shorten } from './width.js';

/** What was said may be long: so many lines of it are shown. */
const SHOWN_LINES = 6;
const MARGIN = '          ';

/** A session as it went: what was asked, what was answered, what was done, and what became of it. */
export function timelineText(
  entries: readonly TimelineEntryJson[],
  changes: readonly ChangeJson[],
  style: Style,
): string {
  const told = new Set<string>();
  let day = '';
  const lines = entries.flatMap((entry) => {
    const ofCall = entry.kind === 'call' ? changes.filter(({ callId }) => callId === entry.call) : [];
    for (const { id } of ofCall) told.add(id);
    const isNewDay = entry.at.slice(0, 10) !== day;
    day = entry.at.slice(0, 10);
    const date = isNewDay ? [style.paint.quiet(day)] : [];
    return [...date, entryText(entry, style), ...ofCall.map((change) => changeLine(change, style))];
  });
  const others = changes.filter(({ id }) => !told.has(id));
  if (others.length > 0) lines.push('', ...others.map((change) => changeLine(change, style)));
  return lines.join('\n');
}

function entryText(entry: TimelineEntryJson, style: Style): string {
  const { paint, width } = style;
  const time = paint.quiet(clock(entry.at));
  switch (entry.kind) {
    case 'prompt':
      return said(`${time}  `, textOf(entry.text), style, paint.strong);
    case 'message': {
      const isHumans = entry.role === 'user' && entry.summary !== true;
      const mark = entry.summary === true ? '[summary] ' : entry.role === 'system' ? '[system] ' : '';
      return said(`${time}  `, mark + textOf(entry.text), style, isHumans ? paint.strong : (text) => text);
    }
    case 'call': {
      const outcome = entry.outcome === 'ok' || entry.outcome === null ? '' : ` (${textOf(entry.outcome)})`;
      const about = firstLine(textOf(entry.about));
      const line = `· ${harmless(textOf(entry.tool))} ${about}`.trimEnd() + outcome;
      return `${time}  ${shorten(line, width === null ? Number.POSITIVE_INFINITY : width - MARGIN.length)}`;
    }
    case 'checkpoint':
      return `${time}  ${paint.quiet(`${textOf(entry.checkpoint)} checkpoint (${textOf(entry.reason)})`)}`;
    case 'restored':
      return `${time}  ${paint.careful(`back to ${textOf(entry.checkpoint)}; what was said before it was left`)}`;
  }
}

function said(time: string, text: string, { width }: Style, paint: (text: string) => string): string {
  const all = harmlessLines(text.trim()).split('\n');
  const shown = all.slice(0, SHOWN_LINES);
  const rest = all.length - shown.length;
  const lines = shown.map((line, index) => hanging(index === 0 ? time : MARGIN, paint(line), width));
  return [...lines, ...(rest > 0 ? [`${MARGIN}(${rest} more lines)`] : [])].join('\n');
}

function changeLine({ id, path, added, removed, status }: ChangeJson, { paint }: Style): string {
  return `${MARGIN}  ${paint.name(id)} ${harmless(path)} +${added} −${removed} ${paint.quiet(status)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function firstLine(text: string): string {
  return harmless(text.split('\n')[0] ?? '');
}
