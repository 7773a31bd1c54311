/**
 * The paths that a pattern means: `*` stands for any characters of one name, `?` for one, `**` for any folders. Null for a
 * text in which nothing stands for something else.
 */
export function pathGlob(pattern: string): ((path: string) => boolean) | null {
  if (!/[*?]/.test(pattern)) return null;
  const wanted = pattern.split('/').map((name) => Array.from(name));
  const anyFolders = (name: readonly string[]) => name.length === 2 && name[0] === '*' && name[1] === '*';
  return (path) => fits(wanted, path.split('/'), anyFolders, fitsName);
}

function fitsName(pattern: readonly string[], name: string): boolean {
  return fits(
    pattern,
    Array.from(name),
    (sign) => sign === '*',
    (sign, character) => sign === '?' || sign === character,
  );
}

/** Going back to the last gap is enough, so that the work is at most the product of both lengths, whatever the pattern. */
function fits<Sign, Item>(
  pattern: readonly Sign[],
  items: readonly Item[],
  isGap: (sign: Sign) => boolean,
  fitsOne: (sign: Sign, item: Item) => boolean,
): boolean {
  let at = 0;
  let gap = -1;
  let resumed = 0;
  for (let index = 0; index < items.length; ) {
    const sign = pattern[at];
    if (at < pattern.length && isGap(sign as Sign)) {
      gap = at++;
      resumed = index;
    } else if (at < pattern.length && fitsOne(sign as Sign, items[index]!)) {
      at++;
      index++;
    } else if (gap >= 0) {
      at = gap + 1;
      index = ++resumed;
    } else return false;
  }
  return pattern.slice(at).every(isGap);
}
