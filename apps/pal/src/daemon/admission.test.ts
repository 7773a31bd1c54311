import { expect, test } from 'vitest';
import { makeToken } from '../link/token.js';
import { admission, byToken, type RequestFacts } from './admission.js';

const token = makeToken();
const NOTHING = { method: 'GET', path: '/v1/health', cookie: undefined, pageKey: undefined, code: undefined };
const admit = admission(byToken(token), 80);
const asked = (facts: Partial<RequestFacts>) =>
  admit({ ...NOTHING, authorization: `Bearer ${token}`, host: '127.0.0.1:80', origin: undefined, ...facts });

test('[SEC3e] a token has 32 random bytes', () => {
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(makeToken()).not.toBe(token);
});

test.each(['127.0.0.1:80', 'localhost:80', 'LOCALHOST:80', '[::1]:80'])('[SEC3b] the host %s is ours', (host) => {
  expect(asked({ host })).toBe('welcome');
});

test.each([
  undefined,
  '',
  'evil.example',
  'evil.example:80',
  '127.0.0.1',
  '127.0.0.1:81',
  'localhost',
  '127.0.0.1:80.evil.example',
  '0.0.0.0:80',
])('[SEC3b] the host %s is not', (host) => {
  expect(asked({ host })).toBe('wrong-host');
});

test.each(['http://127.0.0.1:80', 'http://localhost:80', 'http://[::1]:80'])(
  '[SEC3b] the origin %s is ours',
  (origin) => {
    expect(asked({ origin })).toBe('welcome');
  },
);

test.each([
  'null',
  '',
  'https://127.0.0.1:80',
  'http://127.0.0.1:81',
  'http://evil.example',
  'http://127.0.0.1:80.evil.example',
  'file://',
])('[SEC3b] the origin %j is not', (origin) => {
  expect(asked({ origin })).toBe('wrong-origin');
});

test('[SEC3a] without the token everyone is a stranger, whatever else they say', () => {
  const wrong = [
    '',
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    'Bearer é',
  ];
  for (const authorization of [undefined, ...wrong, `Bearer ${token} `]) {
    expect(asked({ authorization })).toBe('stranger');
    expect(asked({ authorization, host: 'evil.example', origin: 'http://evil.example' })).toBe('stranger');
  }
});
