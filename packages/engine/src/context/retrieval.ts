import type { FoundFact, Term, WorkspacePath } from '@palimpsest/core';

export type RetrievalQuestion = {
  readonly terms: readonly Term[];
  /** Files that need not be found: the model has them, or gets them anyway. */
  readonly except: ReadonlySet<WorkspacePath>;
  /** How many places at most. */
  readonly limit: number;
};

/** `incomplete`: not all covered files were looked at yet; another question later may find more. */
export type RetrievalAnswer = { readonly found: readonly FoundFact[]; readonly incomplete: boolean };

/**
 * Finds places in covered files for what a prompt names. Laws:
 * - what it finds stands in a file that is covered, as the file is now, and not in one that is excepted;
 * - the best comes first, and never more than `limit`;
 * - it takes a bounded time and a bounded amount of memory, whatever the workspace.
 */
export interface Retrieval {
  find(question: RetrievalQuestion): Promise<RetrievalAnswer>;
}
