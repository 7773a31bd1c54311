import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Chance, seeds } from '../../../../test/search.fixture.js';
import { tempFolder, userGit } from '../git/repository.fixture.js';
import { bundleProgram, startProgram } from '../log/child.fixture.js';
import { findWorktrees, sweepWorktrees } from './found.js';
import { dirtyRepository, photograph, site, status } from './worktree.fixture.js';

const SEEDS = seeds({ brief: [1], long: [2, 3] });
const KILLS = 8;

test.each(SEEDS)(
  '[SYN6f] a process that is killed at any moment leaves nothing after the next open (seed %i)',
  async (seed) => {
    const chance = new Chance(seed);
    const at = await site(dirtyRepository());
    const program = await bundleProgram('../worktree/making-program.fixture.ts', join(tempFolder(), 'program'));
    const { tree } = await at.request('any');
    const start = (name: string) => startProgram(program, at.root, at.objects.gitDir, at.home, tree, name);
    const began = performance.now();
    const whole = start('whole');
    await whole.ended;
    expect(whole.lines.at(-1)).toBe('made');
    const tookMs = performance.now() - began;
    const before = { files: photograph(at.root), refs: userGit(at.root, 'for-each-ref'), status: status(at.root) };
    for (let n = 0; n < KILLS; n++) {
      const made = start(`killed-${n}`);
      await made.firstLine;
      await wait(chance.below(Math.ceil(tookMs)));
      made.process.kill('SIGKILL');
      await made.ended;
      await sweepWorktrees(at.home);
      const names = (await findWorktrees(at.home)).map(({ name }) => name);
      expect(readdirSync(at.home).sort()).toEqual([...names].sort());
      if (made.lines.at(-1) === 'made') expect(names).toContain(`killed-${n}`);
      expect(readdirSync(join(at.root, '.git/worktrees'))).toHaveLength(names.length);
      expect(userGit(at.root, 'worktree', 'list', '--porcelain')).not.toContain('prunable');
    }
    expect({ files: photograph(at.root), refs: userGit(at.root, 'for-each-ref'), status: status(at.root) }).toEqual(
      before,
    );
  },
);
