import { expect, test } from 'vitest';
import { proxyInTheWay } from './proxy.js';

test.each<[Record<string, string>, string | null]>([
  [{}, null],
  [{ HTTP_PROXY: '' }, null],
  [{ HTTP_PROXY: 'http://proxy:1' }, 'HTTP_PROXY'],
  [{ https_proxy: 'http://proxy:1', NO_PROXY: 'localhost' }, 'https_proxy'],
  [{ ALL_PROXY: 'http://proxy:1', no_proxy: 'example.org, 127.0.0.1' }, null],
  [{ HTTPS_PROXY: 'http://proxy:1', NO_PROXY: '*' }, null],
])('[AGT1d] with %j the proxy in the way is %j', (environment, expected) => {
  expect(proxyInTheWay(environment)).toBe(expected);
});
