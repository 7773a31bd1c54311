/** The key that the page was let in with. It came behind the `#` of the first address, and is kept where other ports cannot see it. */
const PLACE = 'pal-page-key';

/** Takes the key out of the address, so that it stands in no history and no bookmark. */
export function enter(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const key = given.get('key');
  if (key === null) return;
  localStorage.setItem(PLACE, key);
  history.replaceState(null, '', `${location.pathname}#${given.get('to') || '/'}`);
}

export function pageKey(): string {
  return localStorage.getItem(PLACE) ?? '';
}
