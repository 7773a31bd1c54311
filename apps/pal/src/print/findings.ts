import type { Finding } from '../doctor/finding.js';
import { counted } from './amount.js';
import { harmless } from './harmless.js';
import type { Look } from './look.js';

const NAME_WIDTH = 10;

export function findingsText(findings: readonly Finding[], { paint }: Look): string {
  const marks = { ok: paint.good('✓'), careful: paint.careful('!'), wrong: paint.bad('✗') };
  const lines = findings.flatMap(({ check, state, message, remedy }) => [
    `${marks[state]} ${check.padEnd(NAME_WIDTH)}${harmless(message)}`,
    ...(remedy === undefined ? [] : [`  ${' '.repeat(NAME_WIDTH)}${paint.quiet('→')} ${harmless(remedy)}`]),
  ]);
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  const careful = findings.filter(({ state }) => state === 'careful').length;
  const verdict =
    wrong > 0
      ? paint.bad(`${counted(wrong, 'thing')} to mend`)
      : careful > 0
        ? paint.careful('it works, with something to look at')
        : paint.good('all is well');
  return [...lines, '', verdict].join('\n');
}
