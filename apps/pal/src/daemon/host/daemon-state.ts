import type { Transcripts } from '../transcripts/transcripts.js';
import type { LogFile } from './log-file.js';
import type { PageKeys } from './page-keys.js';
import type { ProgramPath } from './program-path.js';
import type { Traffic } from './traffic.js';
import type { Workspaces } from './workspaces.js';

/** What every route may know. */
export type DaemonState = {
  readonly pid: number;
  readonly version: string;
  readonly dataDir: string;
  readonly port: number;
  readonly startedAt: number;
  readonly workspaces: Workspaces;
  readonly transcripts: Transcripts;
  readonly programs: ProgramPath;
  readonly traffic: Traffic;
  readonly log: LogFile;
  /** Who may use the page. */
  readonly pages: PageKeys;
  readonly stopping: boolean;
  /** Asks for the end; it comes when what is under way is done. */
  readonly stop: () => void;
};
