import { delimiter, isAbsolute } from 'node:path';

/** More than these are not looked through. */
const FOLDERS_LIMIT = 200;

/**
 * Where programs are looked for. A daemon may have been started by an editor that knows fewer of them than the shell of
 * whoever asks for something, so that what they say comes first.
 */
export class ProgramPath {
  #folders: readonly string[];

  constructor(path: string) {
    this.#folders = path.split(delimiter);
  }

  get value(): string {
    return this.#folders.join(delimiter);
  }

  learn(path: string | undefined): void {
    const told = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
    this.#folders = [...new Set([...told, ...this.#folders])].slice(0, FOLDERS_LIMIT);
  }
}
