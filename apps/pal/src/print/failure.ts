import { fitting, withinWidth } from './folded.js';
import { harmless, harmlessLines } from './harmless.js';
import type { Style } from './style.js';

export type FailureWords = { readonly message: string; readonly hint: string | undefined };

/** What went wrong, then what to do next. */
export function failureText({ message, hint }: FailureWords, { paint, width }: Style): string {
  const said = `${withinWidth(`${paint.bad('pal:')} ${harmlessLines(message)}`, width)}\n`;
  return hint === undefined ? said : `${said}${paint.quiet('  →')} ${fitting(harmless(hint), 4, width)}\n`;
}
