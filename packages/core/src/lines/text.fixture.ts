import { execFile } from 'node:child_process';
import fc from 'fast-check';

/** Reads `a b c` as three lines, `a|` as a line that ends in CRLF and a last `c.` as one without a terminator. */
export function text(notation: string): Uint8Array {
  const words = notation.split(' ').filter((word) => word !== '');
  const lines = words.map((word, index) => {
    if (word.endsWith('|')) return `${word.slice(0, -1)}\r\n`;
    return index === words.length - 1 && word.endsWith('.') ? word.slice(0, -1) : `${word}\n`;
  });
  return bytes(lines.join(''));
}

/** One byte per character, so that a test can write any bytes. */
export function bytes(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, (character) => character.charCodeAt(0));
}

export function latin1(value: Uint8Array): string {
  return Array.from(value, (byte) => String.fromCharCode(byte)).join('');
}

const terminator = fc.constantFrom('\n', '\n', '\n', '\r\n');
const smallLine = fc.constantFrom('a', 'b', 'c', 'd', '', '}', '\r', '\xff\xfe');
const line = fc.tuple(smallLine, terminator).map(([word, end]) => word + end);

/** Texts over few lines, so that repetitions and overlaps are frequent. */
export const smallText: fc.Arbitrary<Uint8Array> = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('', '', '', 'end', 'a'))
  .map(([lines, tail]) => bytes(lines.join('') + tail));

export function sealedGit(args: readonly string[], cwd: string): Promise<{ code: number; stdout: Uint8Array }> {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return new Promise((resolve, reject) => {
    execFile('git', args, { cwd, env, encoding: 'buffer' }, (error, stdout) => {
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve({ code: error === null ? 0 : Number(error.code), stdout });
    });
  });
}
