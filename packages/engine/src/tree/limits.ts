const MIB = 1024 * 1024;

/** What one workspace may cost us. Every number can be set per workspace; none may be absent. */
export type TreeLimits = {
  /** Larger files are noticed (size and hash) but their bytes are not kept. */
  readonly keptFileBytes: number;
  /** Larger ignored files are left out. */
  readonly ignoredFileBytes: number;
  /** Ignored files that are taken from one ignored folder, or from one ordinary folder that holds some. */
  readonly ignoredFilesPerFolder: number;
  /** Folders that are entered below one ignored folder. */
  readonly ignoredFoldersPerFolder: number;
  /** Ignored files that are taken in the whole workspace. */
  readonly ignoredFiles: number;
  /** Entries of the list of what is not covered; the rest is counted. */
  readonly listedUncovered: number;
  /** Files and folders met in one scan. A tree beyond this is not a workspace, it is a disk. */
  readonly entries: number;
};

export const DEFAULT_TREE_LIMITS: TreeLimits = {
  keptFileBytes: 10 * MIB,
  ignoredFileBytes: 1 * MIB,
  ignoredFilesPerFolder: 200,
  ignoredFoldersPerFolder: 200,
  ignoredFiles: 2_000,
  listedUncovered: 1_000,
  entries: 1_000_000,
};

/** A file of ignore rules beyond this is not one that a person wrote. */
export const RULE_FILE_BYTES_LIMIT = 1 * MIB;

/** Folders listed in the main thread stay small; larger ones are left to a scan in the worker. */
export const LISTED_FOLDER_ENTRIES_LIMIT = 5_000;

/** A workspace with no more files and folders than this is scanned in the main thread, within a few milliseconds. */
export const SCANNED_HERE_ENTRIES_LIMIT = 500;

/** How often a file that moves while it is read is read again. */
export const READ_ATTEMPTS = 6;
export const READ_RETRY_MS = 15;
