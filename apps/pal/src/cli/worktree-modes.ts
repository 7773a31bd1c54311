/** When what is changed in a worktree comes to the workspace: at once, or when it is accepted. */
export const WORKTREE_MODES = ['auto', 'review'] as const;
export type WorktreeMode = (typeof WORKTREE_MODES)[number];
