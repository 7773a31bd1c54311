import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONSERVATIVE_SCALE, calibrated, charsWithin, messageTokens, textTokens } from './tokens.js';

describe('tokens', () => {
  /** Counted by the tokenizer cl100k_base, or by o200k_base where that counts more. */
  test.each([
    ['The quick brown fox jumps over the lazy dog, and then it sleeps for a while under the tree.', 21],
    ['export function parse(text: string): number {\n  return Number(text.trim());\n}\n', 16],
    ['function a(b,c){return b.d(c)?e:f(g,h)}var i=j.k||{};l.m=n=>{o[p]=q?r:s};', 35],
    ['{"path":"src/app.ts","line":12,"ok":true}', 15],
    ['敏捷的棕色狐狸跳过了懒狗。', 25],
    ['Быстрая коричневая лиса перепрыгивает через ленивую собаку.', 30],
    ['तेज भूरी लोमड़ी आलसी कुत्ते के ऊपर से कूदती है।', 49],
    ['빠른 갈색 여우가 게으른 개를 뛰어넘습니다', 22],
    ['Die schnelle braune Füchsin überspringt den faulen Hund größtenteils mühelos.', 26],
    ['🙂🙃🚀👨‍👩‍👧', 21],
    ['da39a3ee5e6b4b0d3255bfef95601890afd80709e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', 49],
    ['3141592653589793238462643383279502884197', 14],
  ])('[CON6a] unmeasured, %j is not taken for fewer tokens than a provider counts', (text, counted) => {
    expect(textTokens(text)).toBeGreaterThanOrEqual(counted);
    expect(textTokens(text)).toBeLessThanOrEqual(counted * 2.1);
  });

  test('[CON6b] what a provider counted is followed: upwards at once, downwards slowly, and not past reason', () => {
    const higher = calibrated(CONSERVATIVE_SCALE, 1000, 2000);
    expect(higher.factor).toBeCloseTo(2.1);
    const lower = calibrated(higher, 1000, 1000);
    expect(lower.factor).toBeLessThan(higher.factor);
    expect(lower.factor).toBeGreaterThan(1.05);
    for (const nonsense of [0, -1, Number.NaN, 100_000]) expect(calibrated(higher, 1000, nonsense)).toEqual(higher);
    expect(calibrated(higher, 10, 20)).toEqual(higher);
  });

  test('[CON6c] as many characters as are said to be within a budget are within it, and no character is halved', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(200), (text, budget) => {
        const chars = charsWithin(text, budget);
        expect(textTokens(text.slice(0, chars))).toBeLessThanOrEqual(budget);
        expect(() => encodeURIComponent(text.slice(0, chars))).not.toThrow();
      }),
    );
  });

  test('[CON6c] more text is never fewer tokens', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(textTokens(a + b)).toBeGreaterThanOrEqual(textTokens(a));
      }),
    );
    expect(messageTokens({ role: 'user', blocks: [] })).toBeGreaterThan(0);
  });
});
