import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterwards } from '../../../test/afterwards.fixture.js';

const made: string[] = [];
afterwards('test', () => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder without a link in its path, which goes after the test. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-test-')));
  made.push(folder);
  return folder;
}
