import type { Style } from './style.js';

export function uiText(url: string, how: 'opened' | 'told', { paint }: Style): string {
  const remark = paint.quiet('it works once, within two minutes, on this machine');
  return how === 'opened'
    ? `the page opens in your browser; if it does not, go to\n  ${paint.name(url)}\n${remark}`
    : `open this address in a browser:\n  ${paint.name(url)}\n${remark}`;
}
