import { bytes } from '../print/amount.js';
import { type Checked, careful, fine, wrong } from '../print/checks.js';

/** What was read from the machine; the judgements below are functions of it alone. */
export type DataReading =
  | {
      readonly state: 'writable';
      readonly directory: string;
      readonly freeBytes: number;
      readonly fileTimeSkewMs: number;
      readonly openToOthers: boolean;
    }
  | { readonly state: 'refused'; readonly directory: string; readonly why: string };
export type GitReading = { readonly version: string } | { readonly missing: string };
export type WatchReading = { readonly limit: number; readonly folders: number; readonly counted: 'all' | 'at-least' };
export type DaemonReading =
  | { readonly state: 'absent' }
  | { readonly state: 'answers'; readonly pid: number; readonly version: string }
  | { readonly state: 'unreadable'; readonly file: string; readonly why: string }
  | { readonly state: 'stale'; readonly file: string; readonly pid: number | null }
  | { readonly state: 'silent'; readonly file: string; readonly pid: number; readonly why: string };

export const NODE_AT_LEAST = [20, 19] as const;
export const GIT_AT_LEAST = [2, 30] as const;
const MIB = 1024 * 1024;
/** Below this the log and the store cannot be sure to finish a write. */
export const DISK_FULL_BYTES = 64 * MIB;
export const DISK_LOW_BYTES = 1024 * MIB;
/** Coarser than any file system's clock, finer than what confuses a person. */
export const CLOCK_SKEW_MS = 2_000;
/** Other programs of the same user watch too. */
const WATCH_SHARE = 0.8;
const WATCHES_WANTED = 524_288;

export function judgeNode(version: string): Checked {
  if (isAtLeast(version, NODE_AT_LEAST)) return fine('node', `Node ${bare(version)}`);
  return wrong(
    'node',
    `Node ${bare(version)} is too old`,
    `install Node ${NODE_AT_LEAST.join('.')} or newer from https://nodejs.org`,
  );
}

export function judgeGit(reading: GitReading): Checked {
  const least = GIT_AT_LEAST.join('.');
  if ('missing' in reading) {
    return wrong(
      'git',
      `git cannot be run (${reading.missing})`,
      `install git ${least} or newer and make sure that \`git --version\` works in this shell`,
    );
  }
  if (isAtLeast(reading.version, GIT_AT_LEAST)) return fine('git', `git ${reading.version}`);
  return wrong(
    'git',
    `git ${reading.version} is too old`,
    `install git ${least} or newer; \`which -a git\` shows whether another one comes first`,
  );
}

export function judgeData(reading: DataReading): readonly Checked[] {
  if (reading.state === 'refused') {
    const remedy = 'make that folder writable for you, or choose another with PALIMPSEST_HOME=/some/folder';
    return [wrong('data', `cannot write in ${reading.directory} (${reading.why})`, remedy)];
  }
  const { directory, freeBytes, fileTimeSkewMs, openToOthers } = reading;
  const privacy = openToOthers
    ? careful('data', `other users can read ${directory}`, `chmod 700 '${directory}'`)
    : fine('data', `${directory} is writable`);
  return [privacy, judgeDisk(directory, freeBytes), judgeClock(fileTimeSkewMs)];
}

export function judgeWatching(reading: WatchReading | null): Checked {
  if (reading === null) return fine('watching', 'one watcher serves the whole tree on this platform');
  const { limit, folders, counted } = reading;
  const amount = `${counted === 'all' ? '' : 'at least '}${folders} folders here, ${limit} watches allowed`;
  if (folders <= limit * WATCH_SHARE) return fine('watching', amount);
  const remedy = `allow more: \`sudo sysctl fs.inotify.max_user_watches=${Math.max(WATCHES_WANTED, 2 * folders)}\` (until then the tree is scanned instead, which is slower)`;
  return wrong('watching', amount, remedy);
}

export function judgeDaemon(reading: DaemonReading, ourVersion: string): Checked {
  switch (reading.state) {
    case 'absent':
      return fine('daemon', 'not running; it starts when it is needed');
    case 'answers':
      if (reading.version === ourVersion)
        return fine('daemon', `running as process ${reading.pid}, version ${reading.version}`);
      return careful(
        'daemon',
        `running as process ${reading.pid} with version ${reading.version}, while this is ${ourVersion}`,
        'the next command replaces it; `pal stop` does so now',
      );
    case 'unreadable':
      return wrong(
        'daemon',
        `${reading.file} cannot be read (${reading.why})`,
        `make it yours: \`chown "$USER" '${reading.file}'\`, or remove it`,
      );
    case 'stale':
      return wrong(
        'daemon',
        `${reading.file} is left over from a daemon that is gone${reading.pid === null ? '' : ` (process ${reading.pid})`}`,
        `the next command replaces it; to do so now: \`pal serve\`, or remove ${reading.file}`,
      );
    case 'silent':
      return wrong(
        'daemon',
        `process ${reading.pid} does not answer (${reading.why})`,
        `\`pal stop\`, and if it stays: \`kill ${reading.pid}\`; the next command starts a new one. Its log is in the data directory`,
      );
  }
}

function judgeDisk(directory: string, freeBytes: number): Checked {
  const left = `${bytes(freeBytes)} left on the disk of ${directory}`;
  if (freeBytes < DISK_FULL_BYTES)
    return wrong('disk', left, 'free some space, or move the data: PALIMPSEST_HOME=/some/folder on another disk');
  if (freeBytes < DISK_LOW_BYTES) return careful('disk', left, 'free some space before it runs out');
  return fine('disk', left);
}

function judgeClock(skewMs: number): Checked {
  if (Math.abs(skewMs) <= CLOCK_SKEW_MS) return fine('clock', 'file times agree with the clock');
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  return wrong(
    'clock',
    `files written now are dated ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the clock`,
    'set the clock (`timedatectl set-ntp true`), or keep the data on a local disk: PALIMPSEST_HOME=/some/folder',
  );
}

function bare(version: string): string {
  return version.replace(/^v/, '');
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const found = /(\d+)\.(\d+)/.exec(version);
  if (found === null) return false;
  const [ours, oursMinor] = [Number(found[1]), Number(found[2])];
  return ours > major || (ours === major && oursMinor >= minor);
}
