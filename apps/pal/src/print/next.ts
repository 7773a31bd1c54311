import { harmless } from './harmless.js';
import type { Style } from './style.js';

export type Standing = {
  readonly pending: number;
  readonly conflicts: number;
  /** One of those that wait, to name as an example. */
  readonly example?: string;
  readonly session?: string;
};

/** The command that makes sense next, for a person at a terminal; nothing where the text goes elsewhere. */
export function nextText({ pending, conflicts, example, session }: Standing, { width, paint }: Style): string {
  if (width === null) return '';
  const next = (command: string, does: string) => `\n${paint.quiet(`  → \`${command}\` ${does}`)}`;
  if (conflicts > 0) return next('pal conflicts', 'shows what could not be taken back, and how to settle it');
  if (pending === 0) return '';
  if (session !== undefined) return next(`pal show --session ${harmless(session)}`, 'shows what it did');
  if (example !== undefined) return next(`pal show ${harmless(example)}`, 'shows one; accept and reject decide it');
  return next('pal show', 'shows what waits for review');
}
