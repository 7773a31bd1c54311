import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_FOLDER, writePrivateJson } from '../surroundings/private-file.js';

/** What a file was before we wrote it, so that it can be put back exactly. */
export type Entry = {
  /** Its bytes in base64; null when it was not there. */
  readonly before: string | null;
  /** The hash of what we wrote. */
  readonly after: string;
  /** Folders that were made for it, outermost first. */
  readonly folders: readonly string[];
};
export type Ledger = Readonly<Record<string, Entry>>;

export function readLedger(data: string): Ledger {
  const file = ledgerFile(data);
  if (!existsSync(file)) return {};
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { files?: Ledger }).files ?? {};
  } catch (error) {
    // Without it our entries are still known by what they run; only the exact bytes of before are lost.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

export function writeLedger(data: string, files: Ledger): void {
  const file = ledgerFile(data);
  if (Object.keys(files).length === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(data, { recursive: true, mode: PRIVATE_FOLDER });
  writePrivateJson(file, { files });
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function ledgerFile(data: string): string {
  return join(data, 'wiring.json');
}
