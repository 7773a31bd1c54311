import type { WorkspacePath } from '@palimpsest/core';
import type { UserRepository } from '../git/user-repository.js';
import { trackedPaths } from '../look/baseline.js';
import { Coverage } from '../tree/coverage.js';
import type { CoverageRules } from '../tree/coverage-rules.js';

/** What git leaves out by its ignore rules as they are now, or a package manager fills. */
export interface Ignored {
  file(path: WorkspacePath): boolean;
  folder(path: WorkspacePath): boolean;
}

/** What git tracks is not ignored, whatever the rules say; what we merely know may be. */
export async function ignoredNow(rules: CoverageRules, repository: UserRepository | null): Promise<Ignored> {
  const tracked = repository === null ? new Set<string>() : await trackedPaths(repository);
  const coverage = new Coverage({ ...rules, tracked, included: new Set(), admitted: new Set() });
  return {
    file: (path) => {
      const judged = coverage.file(path, 0);
      return !judged.covered || judged.ignored;
    },
    folder: (path) => {
      const judged = coverage.folder(path);
      return !judged.covered || judged.folder.kind !== 'ordinary';
    },
  };
}
