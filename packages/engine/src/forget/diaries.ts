import { readFileSync, writeFileSync } from 'node:fs';
import type { Secrets } from '@palimpsest/core';
import { errorCode } from '../files/system-error.js';

/** Takes the secrets out of text files that others append to: in place, and only where there is one. */
export function scrubFiles(files: readonly string[], secrets: Secrets): void {
  for (const file of files) {
    const text = textIn(file);
    const clean = secrets.without(text);
    if (clean !== text) writeFileSync(file, clean);
  }
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
