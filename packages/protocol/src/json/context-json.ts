import type { AssembledContext } from '@palimpsest/core';
import type { ContextJson } from '../schemas/context.js';
import { linesJson } from './change-json.js';

type Answer = AssembledContext & { readonly session: string | null; readonly incomplete: boolean };

export function contextJson({ session, blocks, tokens, budget, left, omitted, incomplete }: Answer): ContextJson {
  const told = blocks.map(({ lines, ...block }) =>
    lines === undefined ? block : { ...block, lines: linesJson(lines) },
  );
  return { session, blocks: told, tokens, budget, left, omitted: omitted.map((one) => ({ ...one })), incomplete };
}
