/** What the system calls an error, such as `ENOENT`; empty for one that is not the system's. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
