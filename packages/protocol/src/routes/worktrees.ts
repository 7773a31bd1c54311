import { z } from 'zod';
import { WorktreeShape } from '../schemas/worktree.js';
import { route } from './route.js';

const OneWorktree = z.object({ worktree: WorktreeShape });
const Removal = z.strictObject({
  commits: z.enum(['keep', 'leave']).optional().meta({
    description: 'What becomes of commits that no branch or tag has: keep, the default, refuses.',
  }),
});
const Removed = z.object({
  removed: z.string().meta({ description: 'Where it was.' }),
  checkpoint: z.string().meta({ description: 'Its tree as it was last.' }),
});

export const worktreeRoutes = {
  listWorktrees: route('listWorktrees', {
    summary: 'The worktrees of sessions, oldest first',
    answer: z.object({ worktrees: z.array(WorktreeShape) }),
  }),
  getWorktree: route('getWorktree', { summary: 'The worktree of one session', answer: OneWorktree }),
  syncWorktree: route('syncWorktree', {
    summary: 'Let flow what may, also what was found changed after nobody had watched',
    body: z.object({}),
    answer: OneWorktree,
  }),
  finishWorktree: route('finishWorktree', {
    summary: 'Bring in what is accepted, save its tree, and remove it, if nothing is left in it',
    body: Removal,
    answer: Removed,
  }),
  removeWorktree: route('removeWorktree', {
    summary: 'Save its tree and remove it, if nothing is left in it',
    body: Removal,
    answer: Removed,
  }),
};
