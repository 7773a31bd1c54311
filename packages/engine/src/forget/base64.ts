/** Below this many bytes base64 says too little that does not depend on what stands around. */
const FROM_BYTES = 8;

/**
 * Base64 writes three bytes as four characters, so a text inside a longer one has three spellings; of each, what does
 * not depend on its neighbours. Both alphabets.
 */
export function inBase64(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length < FROM_BYTES) return [];
  const spellings = [0, 1, 2].map((before) => {
    const whole = bytes.length - ((before + bytes.length) % 3);
    const padded = Buffer.concat([Buffer.alloc(before), bytes.subarray(0, whole)]);
    return padded.toString('base64').slice(before === 0 ? 0 : before + 1);
  });
  return spellings.flatMap((plain) => [plain, plain.replaceAll('+', '-').replaceAll('/', '_')]);
}
