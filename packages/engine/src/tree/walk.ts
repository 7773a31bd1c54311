import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isAbsence } from '../files/system-error.js';
import { below, type Coverage, type CoveredFolder, type UncoveredReason } from './coverage.js';

export type Walker = {
  /** Called before the folder is read, so that a watcher set here misses nothing that the reading does not show. */
  folder(folder: CoveredFolder): WalkStep;
  /** Anything that is not a folder. */
  file(folder: CoveredFolder, path: string, entry: Dirent): WalkStep;
  leftOut(path: string, reason: UncoveredReason): void;
};

export type WalkStep = 'on' | 'skip' | 'stop';

/**
 * Visits every covered folder from `start` down. It never throws for what the disk does meanwhile: a folder that
 * vanished is not there, and one that cannot be read is left out.
 */
export function walkTree(coverage: Coverage, start: CoveredFolder, walker: Walker): 'done' | 'stopped' {
  const waiting: CoveredFolder[] = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const step = walker.folder(folder);
    if (step === 'stop') return 'stopped';
    if (step === 'skip') continue;
    const entries = readFolder(coverage, folder, walker);
    const deeper: CoveredFolder[] = [];
    for (const entry of entries) {
      if (entry.isDirectory()) {
        const child = judge(coverage, folder, entry.name, walker);
        if (child !== null) deeper.push(child);
      } else if (walker.file(folder, below(folder, entry.name), entry) === 'stop') {
        return 'stopped';
      }
    }
    while (deeper.length > 0) waiting.push(deeper.pop() as CoveredFolder);
  }
  return 'done';
}

function judge(coverage: Coverage, folder: CoveredFolder, name: string, walker: Walker): CoveredFolder | null {
  const judged = coverage.judgeFolder(folder, name);
  const shown = `${below(folder, name)}/`;
  if (!judged.covered) {
    // What a closed or full folder leaves out was listed with that folder.
    const told = folder.kind === 'closed' || judged.reason === 'internal' || judged.reason === 'scratch';
    if (!told) walker.leftOut(judged.reason === 'limit' ? `${folder.base}/` : shown, judged.reason as UncoveredReason);
    return null;
  }
  const child = judged.folder;
  if (child.kind === 'closed' && folder.kind !== 'closed') walker.leftOut(shown, child.reason);
  return child;
}

/** In name order, so that limits cut at the same place every time. */
function readFolder(coverage: Coverage, folder: CoveredFolder, walker: Walker): Dirent[] {
  const place = join(coverage.rules.root, folder.path);
  let entries: Dirent[];
  try {
    entries = readdirSync(place, { withFileTypes: true });
  } catch (error) {
    if (!isAbsence(error)) walker.leftOut(`${folder.path}/`, 'unreadable');
    return [];
  }
  const repository = entries.some((entry) => entry.name === '.git');
  const ignoreFile = entries.some((entry) => entry.name === '.gitignore');
  coverage.hasListed(folder, { repository, ignoreFile });
  const suspect = entries.some((entry) => entry.name.includes('\uFFFD'));
  const speakable = suspect ? withoutUnspeakable(place, folder, entries, walker) : entries;
  return speakable.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A name that is no UTF-8 arrives with replacement characters and would not find its file again. */
function withoutUnspeakable(place: string, folder: CoveredFolder, entries: Dirent[], walker: Walker): Dirent[] {
  const whole = new Set<string>();
  for (const raw of rawNames(place)) {
    const name = raw.toString('utf8');
    if (Buffer.from(name, 'utf8').equals(raw)) whole.add(name);
    else walker.leftOut(below(folder, escapeBytes(raw)), 'name-not-utf8');
  }
  return entries.filter((entry) => whole.has(entry.name));
}

function rawNames(place: string): Buffer[] {
  try {
    return readdirSync(place, { encoding: 'buffer' });
  } catch {
    // The folder went away between two readings; its entries will be gone for the next look as well.
    return [];
  }
}

function escapeBytes(raw: Buffer): string {
  return raw.toString('latin1').replace(/[^ -~]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
