import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { documentOf, ended, User } from './pal.fixture.js';

const user = new User();
/** The demo's own folder goes below this one, so that what it leaves can be seen. */
const place = realpathSync(mkdtempSync(join(tmpdir(), 'pal-demo-test-')));
afterAll(() => {
  user.leave();
  rmSync(place, { recursive: true, force: true });
});

/** Processes that were started with something below a folder on their command line. */
function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false; // It ended while we looked.
      }
    });
}

describe('pal demo', () => {
  test('[INT3e] it shows capture, a refused stale edit, freshness and the records, and leaves nothing', async () => {
    const ran = await user.pal(['demo'], { env: { TMPDIR: place } });
    expect(ran).toMatchObject({ exit: 0, stderr: '' });
    for (const words of [
      'An agent edits a file',
      'A shell command counts too',
      'refuses the call',
      'Good morning',
      'stale',
      'pal show c',
      'result.txt',
    ]) {
      expect(ran.stdout).toContain(words);
    }
    expect(ran.stdout).not.toContain('\u001b');
    expect(readdirSync(place)).toEqual([]);
    expect(processesOf(place)).toEqual([]);
    expect(readdirSync(user.folder)).not.toContain('data');
  });

  test('[INT1a] with --json it says in one document what it played', async () => {
    const ran = await user.pal(['demo', '--json'], { env: { TMPDIR: place } });
    expect(ran.exit).toBe(0);
    expect(documentOf<{ steps: string[] }>(ran).steps.length).toBeGreaterThan(4);
  });

  test.each(['1/', '2/'])('[INT3e] Ctrl-C after step %s leaves nothing either', async (reached) => {
    const child = user.start(['demo'], { env: { TMPDIR: place } });
    const gone = ended(child);
    await new Promise<void>((resolve) => {
      child.stdout!.on('data', (text) => String(text).includes(reached) && resolve());
    });
    child.kill('SIGINT');
    expect((await gone).exit).toBe(130);
    expect(readdirSync(place)).toEqual([]);
    expect(processesOf(place)).toEqual([]);
  });
});
