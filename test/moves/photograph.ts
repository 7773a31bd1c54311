import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Our own data, where a world keeps it inside of the workspace: nobody's content. */
export const DATA_INSIDE = '.pal-data';

export type Mode = '100644' | '100755' | '120000' | 'special' | 'unreadable';
export type Shot = { readonly id: string; readonly mode: Mode };

/** All that is in a folder, by plain reading. */
export type Photograph = {
  readonly files: ReadonlyMap<string, Shot>;
  readonly folders: ReadonlySet<string>;
};

/** The bytes of everything that was ever photographed: the oracle's own copy. */
export class Album {
  readonly #bytes = new Map<string, Buffer>();

  take(root: string): Photograph {
    const files = new Map<string, Shot>();
    const folders = new Set<string>();
    this.#walk(root, '', files, folders);
    return { files, folders };
  }

  bytes(id: string): Buffer | undefined {
    return this.#bytes.get(id);
  }

  keep(bytes: Buffer): string {
    const id = blobId(bytes);
    if (!this.#bytes.has(id)) this.#bytes.set(id, bytes);
    return id;
  }

  #walk(root: string, folder: string, files: Map<string, Shot>, folders: Set<string>): void {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true, encoding: 'utf8' })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === '.git' || entry.name === DATA_INSIDE) continue;
      if (entry.isDirectory()) {
        folders.add(path);
        if (isReadable(join(root, path))) this.#walk(root, path, files, folders);
      } else {
        const shot = this.#shot(join(root, path));
        if (shot !== null) files.set(path, shot);
      }
    }
  }

  /** Null when it went between the listing and the look: a program of the oracle's own may still be writing. */
  #shot(place: string): Shot | null {
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    if (stat.isSymbolicLink()) return { id: this.keep(Buffer.from(readlinkSync(place, 'buffer'))), mode: '120000' };
    if (!stat.isFile()) return { id: '', mode: 'special' };
    try {
      return { id: this.keep(readFileSync(place)), mode: (stat.mode & 0o100) === 0 ? '100644' : '100755' };
    } catch {
      return { id: '', mode: 'unreadable' };
    }
  }
}

/** As git names it, by our own arithmetic. */
export function blobId(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

export function sameShot(a: Shot | undefined, b: Shot | undefined): boolean {
  return a?.id === b?.id && a?.mode === b?.mode;
}

/** Paths that differ between two photographs. */
export function difference(a: Photograph, b: Photograph): readonly string[] {
  const paths = new Set([...a.files.keys(), ...b.files.keys()]);
  return [...paths].filter((path) => !sameShot(a.files.get(path), b.files.get(path)));
}

function isReadable(folder: string): boolean {
  try {
    readdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
