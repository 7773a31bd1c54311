import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether others on this machine can read a file, as far as it and its folder tell. */
export function isOpenToOthers(path: string): boolean {
  const mode = (place: string) => statSync(place, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode(path) & OTHERS_READ) !== 0 && (mode(dirname(path)) & OTHERS_PASS) !== 0;
}

const OTHERS_READ = 0o044;
const OTHERS_PASS = 0o011;
