import { writeSync } from 'node:fs';
import { errorCode } from '../surroundings/error-code.js';

/** Straight to a descriptor: setting up a stream takes longer than writing. A pipe that is full makes us wait. */
export function writeNow(descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (errorCode(error) === 'EPIPE') return;
      if (errorCode(error) !== 'EAGAIN') throw error;
    }
  }
}
