import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The file that a shell would run by that name. */
export function findProgram(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    if (isAbsolute(folder) && isRunnable(file)) return file;
  }
  return null;
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // Not there, or not for us to run.
  }
}
