import { codeToTokens, isSupportedLanguage, type Theme } from '@pierre/highlights';
import type { Colours } from './pieces.js';

/** Only names are asked for; which colour a name has is the style sheet's business, so that light and dark share them. */
const NAMES: Theme = { name: 'names', appearance: 'light', cssVariables: true, style: {} };
const PREFIX = '--h-';

export type Ask = { readonly id: number; readonly language: string; readonly text: string };
export type Told = { readonly id: number; readonly lines: readonly Colours[] };

self.onmessage = ({ data: { id, language, text } }: MessageEvent<Ask>) => {
  self.postMessage({ id, lines: coloursOf(language, text) } satisfies Told);
};

function coloursOf(language: string, text: string): readonly Colours[] {
  if (!isSupportedLanguage(language)) return [];
  const { tokens } = codeToTokens(text, { lang: language as never, theme: NAMES, cssVariablePrefix: PREFIX });
  return tokens.map((line) => line.map(({ content, color }) => [content.length, nameIn(color)] as const));
}

/** `var(--h-keyword-control, …)` is about a keyword. */
function nameIn(colour: string | undefined): string | null {
  return /--h-(?:token-)?([a-z]+)/.exec(colour ?? '')?.[1] ?? null;
}
