/** What a process of ours ends with; scripts rely on it. */
export const EXIT = { done: 0, failed: 1, usage: 2, moved: 3, notFound: 4, denied: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
