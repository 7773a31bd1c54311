/**
 * Paths as the shell sees them, resolved by their letters alone. `certain` is false where a `..` steps back over a folder
 * that may be a link: only above the folder that the command started in are the letters known to be the truth.
 */
type Resolved = { readonly path: string; readonly certain: boolean };

export function resolveFrom(folder: string, path: string, start: string): Resolved {
  const segments = path.startsWith('/') ? [] : folder.split('/').filter(isName);
  let certain = true;
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') {
      segments.push(segment);
      continue;
    }
    certain &&= isAtOrAbove(`/${segments.join('/')}`, start);
    segments.pop();
  }
  return { path: `/${segments.join('/')}`, certain };
}

export function baseName(path: string): string {
  return path.split('/').filter(isName).at(-1) ?? '';
}

function isName(segment: string): boolean {
  return segment !== '' && segment !== '.';
}

function isAtOrAbove(folder: string, start: string): boolean {
  return folder === '/' || start === folder || start.startsWith(`${folder}/`);
}
