import { chmodSync, renameSync, writeFileSync } from 'node:fs';

export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Replaces a file of our own as a whole, so that whoever reads it gets the old or the new. Only the user can read it. */
export function writePrivateJson(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: PRIVATE_FILE });
  // A draft that a killed process left keeps the mode it had.
  chmodSync(draft, PRIVATE_FILE);
  renameSync(draft, file);
}
