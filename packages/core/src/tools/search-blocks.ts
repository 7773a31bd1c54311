import type { PatchHunk } from './hunks.js';

/**
 * The SEARCH / REPLACE blocks of Cline and Roo. `whole`: a single block that searches for nothing replaces the file.
 * Null for text without a complete block.
 */
export function parseSearchBlocks(
  text: string,
): { readonly hunks: readonly PatchHunk[] } | { readonly whole: string } | null {
  const hunks: PatchHunk[] = [];
  let part: 'outside' | 'search' | 'replace' = 'outside';
  let old: string[] = [];
  let fresh: string[] = [];
  for (const line of text.replace(/\r\n/g, '\n').split('\n')) {
    if (part === 'outside') {
      if (/^(<{3,}|-{3,}) SEARCH>?$/.test(line.trimEnd())) {
        part = 'search';
        old = [];
        fresh = [];
      }
    } else if (part === 'search') {
      if (/^={3,}$/.test(line.trimEnd())) part = 'replace';
      else if (/^:(start|end)_line:\s*\d+$/.test(line.trim()) && old.length === 0) continue;
      else if (/^-{7}$/.test(line.trimEnd()) && old.length === 0) continue;
      else old.push(`${unescapeMarker(line)}\n`);
    } else if (/^(>{3,}|\+{3,}) REPLACE>?$/.test(line.trimEnd())) {
      part = 'outside';
      hunks.push({ contexts: [], old, new: fresh });
    } else fresh.push(`${unescapeMarker(line)}\n`);
  }
  if (part !== 'outside' || hunks.length === 0) return null;
  const only = hunks[0];
  if (hunks.length === 1 && only !== undefined && only.old.length === 0) return { whole: only.new.join('') };
  return hunks.some((hunk) => hunk.old.length === 0) ? null : { hunks };
}

/** A line of the file that looks like a marker is written with a backslash in front. */
function unescapeMarker(line: string): string {
  return /^\\(<{3,}|={3,}|>{3,}|-{3,})/.test(line) ? line.slice(1) : line;
}
