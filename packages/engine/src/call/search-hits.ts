import { FOUND_FILES_LIMIT, type Found, type WorkspacePath } from '@palimpsest/core';
import type { CallPlan } from '../look/call-plan.js';
import type { KnownTree } from '../store/known-tree.js';

/** Of a long answer only the beginning is gone through: what matters of it is what the model reads first. */
const LINES_LIMIT = 500;

type Parts = {
  readonly known: KnownTree;
  /** Null for a path that is not in the workspace. */
  readonly resolve: (written: string) => WorkspacePath | null;
};

/** The covered files that the answer of a search names, as `path`, `path:12:text` or a heading with them; the first few. */
export function searchHits(plan: CallPlan, output: string | null, { known, resolve }: Parts): readonly Found[] {
  if (plan.action !== 'search' || output === null) return [];
  const paths = new Set<WorkspacePath>();
  for (const line of output.split('\n', LINES_LIMIT)) {
    for (const written of namesIn(line)) {
      const path = resolve(written);
      if (path === null || known.get(path) === null) continue;
      paths.add(path);
      break;
    }
    if (paths.size >= FOUND_FILES_LIMIT) break;
  }
  return paths.size === 0 ? [] : [{ kind: 'found', session: plan.session, paths: [...paths] }];
}

/** What of a line may be a name: all of it, or what stands before a line number, or after a word such as `File:`. */
function namesIn(line: string): readonly string[] {
  const text = line.trim();
  if (text === '' || text.length > NAME_CHARS) {
    const cut = /^[^\0]{1,1000}?(?=:\d+[:-]|-\d+-)/.exec(text.slice(0, NAME_CHARS));
    return cut === null ? [] : [cut[0]];
  }
  const numbered = /^(.+?)(?::\d+(?::|$)|-\d+-)/.exec(text)?.[1];
  const labelled = /^(?:File|Path|#+|[-*])\s*:?\s+(.+?):?$/i.exec(text)?.[1];
  return [text, text.replace(/:$/, ''), numbered, labelled].filter((name) => name !== undefined);
}

const NAME_CHARS = 2_000;
