import { spokenPath } from '@palimpsest/core';

/** What the model is told beside a prompt or a tool's result, in characters; some 500 tokens. */
export const CONTEXT_CHARS = 2_000;
/** Files that the summary of pending changes names; the rest is counted. */
const SUMMARY_FILES = 10;

export type PendingFile = {
  readonly path: string;
  readonly changes: number;
  readonly added: number;
  readonly removed: number;
};

/** Facts for the model within the budget; null when there is nothing to say. What does not fit is counted, not cut. */
export function contextText(facts: readonly string[], summary: string | null): string | null {
  const items = [...new Set(facts)].map((fact) => `- ${fact.replaceAll('\n', '\n  ')}`);
  if (items.length === 0 && summary === null) return null;
  const tail = summary === null ? [] : [summary];
  let room = CONTEXT_CHARS - HEAD.length - REST_CHARS - (summary?.length ?? 0);
  const fitting: string[] = [];
  for (const item of items) {
    if (item.length + 1 > room) break;
    room -= item.length + 1;
    fitting.push(item);
  }
  const left = items.length - fitting.length;
  if (left > 0)
    fitting.push(`- ${left} more ${left === 1 ? 'notice' : 'notices'} did not fit here; \`pal status\` has them.`);
  return [HEAD, ...fitting, ...tail].join('\n');
}

/** Which of its changes still wait for a person; null when none do. */
export function pendingSummary(files: readonly PendingFile[]): string | null {
  if (files.length === 0) return null;
  const named = files.slice(0, SUMMARY_FILES).map(({ path, changes, added, removed }) => {
    const amount = changes === 1 ? '1 change' : `${changes} changes`;
    return `${spokenPath(clipped(path))} (${amount}, +${added} −${removed})`;
  });
  const rest = files.length - named.length;
  return `Your changes that wait for review: ${[...named, ...(rest > 0 ? [`${rest} more files`] : [])].join(', ')}.`;
}

const HEAD = 'From Palimpsest, which keeps track of this workspace:';
const REST_CHARS = 80;
const PATH_CHARS = 80;

/** The end of a long path tells more than its beginning. */
function clipped(path: string): string {
  return path.length <= PATH_CHARS ? path : `…${path.slice(path.length - PATH_CHARS + 1)}`;
}
