/** What a workspace does when it has a choice. Every field has a default; faces read them from where users keep them. */
export type Settings = {
  readonly guard: GuardSettings;
  /** A call that has not ended after this long is taken to be lost. */
  readonly callLifetimeMs: number;
  /** How long a call that may write anything waits, right after opening, until it is known what it may write over. */
  readonly stockWaitMs: number;
  /** How long after a hint we look, while no call is running. */
  readonly lookAfterMs: number;
  /** Changed paths beyond this many are recorded without line spans, which are then measured when somebody looks. */
  readonly measuredFiles: number;
  /** Characters of diff in the reason of a denied edit. */
  readonly reasonDiffChars: number;
  /** Patterns of scratch files in addition to the built-in ones. */
  readonly scratch: readonly string[];
  /** A commit that contains a pending change accepts it. */
  readonly commitAccepts: boolean;
  readonly checkpoints: CheckpointSettings;
  readonly context: ContextSettings;
  readonly worktree: WorktreeSettings;
};

/** How the worktree of a session is furnished. */
export type WorktreeSettings = {
  /**
   * How folders of dependencies and of what was built come along. `auto`: shared by the disk where it can, else copied up
   * to `copiedBytes`; with a setup command nothing is copied. `reflink`: shared or not at all. `copy`: whatever the size.
   */
  readonly dependencies: 'auto' | 'reflink' | 'copy' | 'none';
  readonly copiedBytes: number;
  /** A command line that runs in each new worktree; empty for none. */
  readonly setup: string;
  readonly setupMs: number;
};

/** What agents that listen at a prompt are given with it. */
export type ContextSettings = {
  /** Open files, patches and the rest go along with each prompt. */
  readonly inject: boolean;
  /** At most so many tokens of it. */
  readonly tokens: number;
};

/** When checkpoints are saved, and how long they and what is no longer needed stay. */
export type CheckpointSettings = {
  /** Saved at the start of a session, at each prompt, and around calls that change files. */
  readonly automatic: boolean;
  /** Automatic ones beyond this many go, oldest first. */
  readonly keptCount: number;
  readonly keptAgeMs: number;
  /** When the store is larger than this after everything unneeded is gone, the oldest checkpoints go too. */
  readonly storeBytes: number;
  /** For how long the bytes of settled changes stay: until then they can be shown and undone. */
  readonly historyAgeMs: number;
};

/**
 * `deny` refuses the call, `warn` lets it pass with a notice, `off` says nothing. `apart` is for edits of a stale file
 * whose lines do not touch what changed: `pass` lets them through with a notice.
 */
export type GuardSettings = {
  readonly stale: GuardPolicy;
  readonly unseen: GuardPolicy;
  readonly apart: 'deny' | 'pass';
};
export type GuardPolicy = 'deny' | 'warn' | 'off';

const DAY_MS = 24 * 60 * 60 * 1000;

export const DEFAULT_SETTINGS: Settings = {
  guard: { stale: 'deny', unseen: 'deny', apart: 'deny' },
  callLifetimeMs: 30 * 60 * 1000,
  // A hook that has no answer after two seconds lets the agent go on.
  stockWaitMs: 1_500,
  lookAfterMs: 100,
  measuredFiles: 2_000,
  reasonDiffChars: 2_000,
  scratch: [],
  commitAccepts: true,
  // Agents cut what a hook says at some 10,000 characters.
  context: { inject: false, tokens: 2_000 },
  checkpoints: {
    automatic: true,
    keptCount: 1_000,
    keptAgeMs: 90 * DAY_MS,
    storeBytes: 10 * 1024 * 1024 * 1024,
    historyAgeMs: 90 * DAY_MS,
  },
  worktree: {
    dependencies: 'auto',
    copiedBytes: 1024 * 1024 * 1024,
    setup: '',
    setupMs: 10 * 60 * 1000,
  },
};
