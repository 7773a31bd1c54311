import type { ContentId, LineRange, OperationBody, ShownFile, WorkspacePath } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { FileState } from '../log/log.js';
import type { CallPlan } from '../look/call-plan.js';
import { provenRead } from '../shell/proof.js';
import type { KnownTree } from '../store/known-tree.js';
import { shownByTool, upToEnd } from './shown-lines.js';

/** What is known of the end of a call that read. */
export type ReadEnd = {
  readonly ok: boolean | null;
  readonly output: string | null;
  /** The lines that a read of one file showed, where its tool says so. */
  readonly shown: LineRange | null;
};

/** What each file held that an open call is reading, so that a change meanwhile does not count as seen. */
export class Reading {
  readonly #content: ContentStore;
  readonly #states = new Map<string, ReadonlyMap<WorkspacePath, FileState>>();

  constructor(content: ContentStore) {
    this.#content = content;
  }

  begin(plan: CallPlan, known: KnownTree): void {
    const states = new Map<WorkspacePath, FileState>();
    for (const { path } of [...plan.reads, ...plan.shellReads]) {
      const state = known.get(path);
      if (state !== null) states.set(path, state);
    }
    if (states.size > 0) this.#states.set(plan.key, states);
  }

  end({ key }: CallPlan): void {
    this.#states.delete(key);
  }

  /** What a read put in front of the model: the file as it was when the read began, unless it is told otherwise. */
  async shown(plan: CallPlan, { ok, output, shown }: ReadEnd, known: KnownTree): Promise<readonly OperationBody[]> {
    const states = ok === false ? undefined : this.#states.get(plan.key);
    if (states === undefined) return [];
    const files: ShownFile[] = [];
    const told = new Set(plan.reads.map(({ path }) => path)).size === 1 ? shown : null;
    for (const { path, lines } of plan.reads) {
      const file = states.get(path);
      if (file === undefined) continue;
      files.push(shownFile(known, path, file.content, await shownByTool(lines, told, file, this.#content)));
    }
    for (const { path, read } of plan.shellReads) {
      const content = states.get(path)?.content;
      if (content === undefined || output === null) continue;
      const bytes = await this.#content.get(content);
      if (!bytes.ok || !provenRead(read, output, bytes.value)) continue;
      files.push(shownFile(known, path, content, await upToEnd(read.lines, content, this.#content)));
    }
    return files.length === 0 ? [] : [{ kind: 'shown', session: plan.session, source: 'read', files }];
  }
}

function shownFile(known: KnownTree, path: WorkspacePath, content: ContentId, lines: LineRange | undefined): ShownFile {
  const stale = known.get(path)?.content !== content;
  return {
    path,
    content,
    ...(lines === undefined ? {} : { lines }),
    ...(stale ? { stale: true as const } : {}),
  };
}
