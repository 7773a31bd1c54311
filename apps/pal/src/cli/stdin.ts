/** A hook's payload holds at most a file or two; whatever is larger is a mistake, and must not fill the memory. */
const STDIN_LIMIT = 64 * 1024 * 1024;

export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > STDIN_LIMIT) throw new Error(`more than ${STDIN_LIMIT} bytes came in on standard input`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
