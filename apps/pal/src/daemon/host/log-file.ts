import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../surroundings/error-code.js';
import { PRIVATE_FILE } from '../../surroundings/private-file.js';

export const LOG_NAME = 'daemon.log';
/** When the file has grown to this it becomes `daemon.log.1`, and so on; the oldest goes. */
const FILE_BYTES_LIMIT = 4 * 1024 * 1024;
const OLD_FILES_LIMIT = 2;
/** A stack trace is welcome, a megabyte of it is not. */
const FACT_LENGTH_LIMIT = 8_000;

/** Every file of the diary, old ones too. */
export function logFiles(dataDir: string): readonly string[] {
  const ages = Array.from({ length: OLD_FILES_LIMIT }, (_, n) => `.${n + 1}`);
  return ['', ...ages].map((age) => join(dataDir, LOG_NAME + age));
}

export type Facts = Readonly<Record<string, unknown>>;

/**
 * The daemon's diary, one JSON object a line, for people who look for a fault. It never holds the token, nor what files,
 * prompts or tool inputs contain. A disk that is full must not stop the daemon, so a line that cannot be written is
 * counted and told with the next one that can.
 */
export class LogFile {
  readonly #file: string;
  readonly #now: () => number;
  readonly #bytesLimit: number;
  #bytes: number;
  #lost = 0;

  constructor(dataDir: string, now: () => number = Date.now, bytesLimit: number = FILE_BYTES_LIMIT) {
    this.#file = join(dataDir, LOG_NAME);
    this.#now = now;
    this.#bytesLimit = bytesLimit;
    this.#bytes = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  write(event: string, facts: Facts = {}): void {
    const lost = this.#lost === 0 ? {} : { lost: this.#lost };
    const line = `${JSON.stringify({ at: new Date(this.#now()).toISOString(), pid: process.pid, event, ...lost, ...facts })}\n`;
    try {
      if (this.#bytes > 0 && this.#bytes + line.length > this.#bytesLimit) this.#rotate();
      appendFileSync(this.#file, line, { mode: PRIVATE_FILE });
      this.#bytes += Buffer.byteLength(line);
      this.#lost = 0;
    } catch {
      this.#lost += 1;
    }
  }

  fault(event: string, error: unknown, facts: Facts = {}): void {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.write(event, { ...facts, error: told.slice(0, FACT_LENGTH_LIMIT) });
  }

  #rotate(): void {
    for (let age = OLD_FILES_LIMIT; age > 0; age--) {
      const younger = age === 1 ? this.#file : `${this.#file}.${age - 1}`;
      try {
        renameSync(younger, `${this.#file}.${age}`);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    }
    this.#bytes = 0;
  }
}
