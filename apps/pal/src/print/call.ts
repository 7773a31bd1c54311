import type { BeginAnswerJson, NoticeJson } from '@palimpsest/protocol';
import { harmlessLines } from './harmless.js';

/** For a person who calls `pal tool begin` by hand, and for hooks that pass plain text on. No colours: the reader is a model. */
export function beginText({ decision, reason, notices }: BeginAnswerJson): string {
  const permission = decision === 'deny' ? 'denied' : decision === 'warn' ? 'allowed, with a warning' : 'allowed';
  return [
    permission,
    ...(reason === undefined ? [] : [harmlessLines(reason)]),
    ...noticeLines(notices.filter((notice) => !isSaid(notice, reason))),
  ].join('\n');
}

/** A warning about a file is a notice as well, for programs that read only those. */
function isSaid({ text }: NoticeJson, reason: string | undefined): boolean {
  return reason?.includes(text) === true;
}

export function noticesText(notices: readonly NoticeJson[]): string {
  return ['noted', ...noticeLines(notices)].join('\n');
}

export function noticeLines(notices: readonly NoticeJson[]): readonly string[] {
  return notices.map(({ text }) => `notice: ${harmlessLines(text)}`);
}
