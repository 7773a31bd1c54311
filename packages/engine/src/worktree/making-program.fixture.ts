import { writeSync } from 'node:fs';
import { DEFAULT_SETTINGS } from '../basis/settings.js';
import { openObjects } from '../git/objects.js';
import { sealGit } from '../git/run.js';
import { findRepository } from '../git/user-repository.js';
import { makeWorktree } from './make-worktree.js';

/** Makes one worktree, and prints a line before and after. */
const [root, store, home, tree, name] = process.argv.slice(2) as [string, string, string, string, string];
const objects = await openObjects(store, { git: sealGit(process.env), durability: 'lazy' });
const repository = await findRepository(root);
if (!repository.ok) throw new Error(repository.error.detail);
writeSync(1, 'begins\n');
const made = await makeWorktree({
  ...{ root, repository: repository.value, objects, home, name, tree },
  settings: DEFAULT_SETTINGS.worktree,
  environment: process.env,
});
writeSync(1, `${made.ok ? 'made' : JSON.stringify(made.error)}\n`);
await objects.close();
