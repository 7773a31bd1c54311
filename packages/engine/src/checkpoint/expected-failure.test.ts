import { expect, test } from 'vitest';
import { GitFailure } from '../git/run.js';
import { expectedFailure } from './expected-failure.js';

const ended = (stderr: string) => new GitFailure({ code: 'git-exit', args: ['repack'], exitCode: 128, stderr });

test('[SRV5e] a full disk that git meets is one, and any other end of git is not', () => {
  expect(expectedFailure(ended('fatal: write error: No space left on device'))).toEqual({ code: 'no-space' });
  expect(expectedFailure(ended('error: unable to write file: Disk quota exceeded'))).toEqual({ code: 'no-space' });
  expect(expectedFailure(ended('fatal: bad object HEAD'))).toBeNull();
  expect(expectedFailure(Object.assign(new Error('full'), { code: 'ENOSPC' }))).toEqual({ code: 'no-space' });
});
