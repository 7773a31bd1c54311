/**
 * SHA-256 of a text's UTF-8 bytes, in hex. The core has no platform to ask for one, and a name made from a hostile id
 * needs a hash that cannot be aimed at. A half of a surrogate pair counts as its three bytes, so no two texts agree.
 */
export function sha256(text: string): string {
  const words = padded(utf8(text));
  const state = Uint32Array.from(INITIAL);
  const schedule = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    schedule.set(words.subarray(block, block + 16));
    compress(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

const PRIMES = firstPrimes(64);
/** The first 32 bits of the fractional parts of the roots of the first primes, as the standard defines them. */
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(prime ** (1 / 2)));
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function compress(state: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const [near, far] = [at(w, i - 2), at(w, i - 15)];
    const s0 = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3);
    const s1 = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10);
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + at(w, i)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + word;
}

/** Big-endian words, with the closing bit and the length in bits that the standard appends. */
function padded(bytes: readonly number[]): Uint32Array {
  const words = new Uint32Array(Math.ceil((bytes.length + 9) / 64) * 16);
  for (const [index, byte] of [...bytes, 0x80].entries())
    words[index >> 2] = at(words, index >> 2) | (byte << (24 - 8 * (index & 3)));
  words[words.length - 1] = bytes.length * 8;
  return words;
}

function utf8(text: string): number[] {
  return Array.from(text, (character) => encode(character.codePointAt(0) ?? 0)).flat();
}

function encode(point: number): number[] {
  const tail = (shift: number) => 0x80 | ((point >> shift) & 0x3f);
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), tail(0)];
  if (point < 0x10000) return [0xe0 | (point >> 12), tail(6), tail(0)];
  return [0xf0 | (point >> 18), tail(12), tail(6), tail(0)];
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
