import { statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders that a client works in, as far as it tells. */
export type Roots = {
  readonly offered: boolean;
  list(timeoutMs: number): Promise<readonly { readonly uri: string }[]>;
};

/** A client that offers roots and then does not name them must not hold up its own request. */
const PATIENCE_MS = 2_000;

/**
 * The folder to work in: the one we were started in if the client works there too, or else the first that it names.
 * Some clients start their servers in the user's home or in `/`.
 */
export async function workingFolder(startedIn: string, roots: Roots | null): Promise<string> {
  if (roots === null || !roots.offered) return startedIn;
  let named: readonly { readonly uri: string }[];
  try {
    named = await roots.list(PATIENCE_MS);
  } catch {
    return startedIn; // A client that breaks its promise is served as one that made none.
  }
  const folders = named.flatMap(({ uri }) => folderOf(uri));
  return folders.some((folder) => isWithin(startedIn, folder)) ? startedIn : (folders[0] ?? startedIn);
}

function folderOf(uri: string): readonly string[] {
  if (!uri.startsWith('file://')) return [];
  try {
    const folder = fileURLToPath(uri);
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? [folder] : [];
  } catch {
    return []; // Not a file of this machine.
  }
}

function isWithin(folder: string, root: string): boolean {
  const way = relative(root, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && way !== folder);
}
