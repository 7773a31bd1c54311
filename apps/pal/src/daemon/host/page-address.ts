/** Where the page is. What is below it is served to whoever has its cookie; only the way in is open to a code. */
export const PAGE = '/ui/';
export const ENTER = `${PAGE}enter`;

/** Cookies know no ports, and each daemon of a machine has its own page. */
export function pageCookie(port: number): string {
  return `pal-page-${port}`;
}
