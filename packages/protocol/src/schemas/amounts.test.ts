import { expect, test } from 'vitest';
import { amountText, parseAmount } from './amounts.js';
import { SETTING_NAMES, settingChoices, settingDescription, settingText, settingValue } from './settings.js';

test.each([
  ['time', '30d', 30 * 86_400_000],
  ['time', '1.5h', 5_400_000],
  ['time', '5 min', 300_000],
  ['time', '5m', 300_000],
  ['time', '250', 250],
  ['size', '10GB', 10 * 1024 ** 3],
  ['size', '500 mib', 500 * 1024 ** 2],
  ['size', '30d', null],
  ['time', '10GB', null],
  ['time', '-1d', null],
  ['size', 'much', null],
] as const)('[INT2d] %s %s is %s', (kind, text, amount) => expect(parseAmount(kind, text)).toBe(amount));

test('[INT2d] what is shown can be written again', () => {
  for (const amount of [0, 1, 999, 1000, 1500, 86_400_000, 90 * 86_400_000])
    expect(parseAmount('time', amountText('time', amount))).toBe(amount);
  expect([amountText('time', 90 * 86_400_000), amountText('size', 10 * 1024 ** 3)]).toEqual(['90d', '10GB']);
  expect(settingText('scratch', ['a'])).toBe('["a"]');
  expect([settingValue('commitAccepts', 'true'), settingValue('guard.stale', 'warn')]).toEqual([true, 'warn']);
});

test('[INT2d] every setting explains itself and says what can be written', () => {
  for (const name of SETTING_NAMES) expect([settingDescription(name), settingChoices(name)]).not.toContain('');
});
