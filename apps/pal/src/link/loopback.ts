import { connect } from 'node:net';

export type LoopbackRequest = {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
};
export type LoopbackAnswer = { readonly status: number; readonly body: string };
/** `isLate`: somebody is there, and did not say all of it in time. */
export type NoAnswer = { readonly status: null; readonly isLate: boolean; readonly why: string };

/**
 * One request to a server of ours on this machine, with as much of HTTP/1.1 as that takes. Loading `node:http` costs a
 * hook more than everything else it does. What is not a whole answer is none.
 */
export function askLoopback({
  port,
  method,
  path,
  headers,
  body,
  timeoutMs,
}: LoopbackRequest): Promise<LoopbackAnswer | NoAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1' });
    const head = Object.entries({
      host: `127.0.0.1:${port}`,
      connection: 'close',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    });
    // For all of it: an answer that comes one byte at a time would keep an idle timer waiting for ever.
    const timer = setTimeout(() => {
      resolve({ status: null, isLate: true, why: `no answer within ${timeoutMs} ms` });
      socket.destroy();
    }, timeoutMs);
    socket.on('data', (chunk) => void chunks.push(chunk));
    socket.on('error', ({ message }) => resolve({ ...BROKEN, why: message }));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(BROKEN);
    });
    socket.on('end', () => resolve(parseAnswer(Buffer.concat(chunks)) ?? BROKEN));
    socket.write(
      `${method} ${path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    );
  });
}

const BROKEN: NoAnswer = { status: null, isLate: false, why: 'the connection broke' };

/** Null for what is not a whole answer: the connection may have broken in the middle of it. */
export function parseAnswer(bytes: Buffer): LoopbackAnswer | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [first, ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(first!)?.[1];
  if (status === undefined) return null;
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).trim().toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const rest = bytes.subarray(headEnd + 4);
  const body =
    headers.get('transfer-encoding')?.toLowerCase() === 'chunked'
      ? joinChunks(rest)
      : cutTo(rest, headers.get('content-length'));
  return body === null ? null : { status: Number(status), body: body.toString('utf8') };
}

function cutTo(rest: Buffer, length: string | undefined): Buffer | null {
  if (length === undefined) return rest;
  return rest.length < Number(length) ? null : rest.subarray(0, Number(length));
}

function joinChunks(rest: Buffer): Buffer | null {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const digits = /^[0-9a-f]{1,8}(?=\s*(?:;|$))/i.exec(rest.subarray(at, lineEnd).toString('latin1'))?.[0];
    if (digits === undefined) return null;
    const size = Number.parseInt(digits, 16);
    if (size === 0) return Buffer.concat(chunks);
    const start = lineEnd + 2;
    if (start + size + 2 > rest.length) return null;
    chunks.push(rest.subarray(start, start + size));
    at = start + size + 2;
  }
}
