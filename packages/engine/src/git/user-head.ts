import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readBoundedNow, SMALL_FILE_LIMIT_BYTES, withoutLineEnds } from './bounded-read.js';
import { isObjectId, type ObjectId } from './object-id.js';
import { isRefName, parsePackedRefs } from './packed-refs.js';
import type { UserRepository } from './user-repository.js';

export type Head =
  /** `commit` is null on a branch without commits. */
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: ObjectId | null }
  | { readonly kind: 'detached'; readonly commit: ObjectId }
  | { readonly kind: 'unreadable'; readonly detail: string };

const PACKED_REFS_LIMIT_BYTES = 256 * 1024 * 1024;
const SYMBOLIC_DEPTH_LIMIT = 5;

/**
 * The HEAD of the user's repository. It is asked twice for every tool call, so it is read in place: two files of one
 * line. The list of packed refs, which may be long, is read again only when it is another file.
 */
export class UserHead {
  readonly #repository: UserRepository;
  readonly #packedPath: string;
  #packed: { readonly stamp: string; readonly refs: ReadonlyMap<string, ObjectId> } | null = null;

  constructor(repository: UserRepository) {
    this.#repository = repository;
    this.#packedPath = join(repository.commonDir, 'packed-refs');
  }

  read(): Head {
    const { refFormat, gitDir } = this.#repository;
    if (refFormat !== 'files') return { kind: 'unreadable', detail: `refs are kept as ${refFormat}` };
    const text = readLine(join(gitDir, 'HEAD'));
    if (text === null) return { kind: 'unreadable', detail: 'HEAD cannot be read' };
    if (this.#isId(text)) return { kind: 'detached', commit: text };
    const target = targetIn(text);
    if (target === null) return { kind: 'unreadable', detail: 'HEAD names no branch' };
    return { kind: 'branch', branch: target.replace(/^refs\/heads\//, ''), commit: this.#resolve(target) };
  }

  #resolve(name: string): ObjectId | null {
    let current = name;
    for (let depth = 0; depth < SYMBOLIC_DEPTH_LIMIT; depth++) {
      const text = readLine(join(this.#folderOf(current), current));
      if (text !== null && this.#isId(text)) return text;
      const target = text === null ? null : targetIn(text);
      if (target === null) break;
      current = target;
    }
    return this.#packedRefs().get(current) ?? null;
  }

  #packedRefs(): ReadonlyMap<string, ObjectId> {
    const stamp = stampOf(this.#packedPath);
    if (stamp === null) return new Map();
    if (this.#packed?.stamp !== stamp) {
      const file = readBoundedNow(this.#packedPath, PACKED_REFS_LIMIT_BYTES);
      const refs = parsePackedRefs(file.kind === 'read' ? file.bytes.toString('utf8') : '');
      this.#packed = { stamp, refs };
    }
    return this.#packed.refs;
  }

  /** These few are kept apart for each linked worktree. */
  #folderOf(name: string): string {
    const { gitDir, commonDir } = this.#repository;
    return /^refs\/(bisect|worktree|rewritten)\//.test(name) ? gitDir : commonDir;
  }

  #isId(text: string): boolean {
    return this.#repository.objectFormat === 'sha256' ? /^[0-9a-f]{64}$/.test(text) : isObjectId(text);
  }
}

function targetIn(text: string): string | null {
  const target = text.match(/^ref:\s*(\S+)$/)?.[1];
  return target !== undefined && isRefName(target) ? target : null;
}

function readLine(path: string): string | null {
  const file = readBoundedNow(path, SMALL_FILE_LIMIT_BYTES);
  return file.kind === 'read' ? withoutLineEnds(file.bytes.toString('utf8')) : null;
}

/** Git puts a new file in its place whenever something is packed. */
function stampOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}
