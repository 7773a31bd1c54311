import { errorCode } from '../surroundings/error-code.js';

/** The two streams of this process, and the only place that writes to them. */
export type Output = {
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => Promise<void>;
};

export const output: Output = {
  out: (text) => write(process.stdout, text),
  err: (text) => write(process.stderr, text),
};

/** Resolves when the text has left us, so that ending the process afterwards loses nothing. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) =>
      error === undefined || error === null || isClosedPipe(error) ? resolve() : reject(error),
    );
  });
}

/** `pal log | head` closes the pipe when it has enough. That is no error of anybody's. */
export function endQuietlyOnClosedPipe(end: () => void): void {
  process.stdout.on('error', (error) => {
    if (!isClosedPipe(error)) throw error;
    end();
  });
  process.stderr.on('error', (error) => {
    if (!isClosedPipe(error)) throw error;
  });
}

function isClosedPipe(error: Error): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(errorCode(error));
}
