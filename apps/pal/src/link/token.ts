import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A secret that nobody can guess; whoever holds it is served. */
export function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}
