import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterwards } from './afterwards.fixture.js';

const made: string[] = [];
afterwards('file', () => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder without a link in its path, which is gone after the tests of the file. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-test-')));
  made.push(folder);
  return folder;
}

export function put(root: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
