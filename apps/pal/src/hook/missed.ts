import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A hook that got no answer in time; the agent went on without one. */
export type Missed = {
  readonly at: string;
  readonly agent: string;
  readonly event: string;
  readonly directory: string;
  readonly why: string;
};

/** Beyond this size the older half of the file goes. */
const FILE_BYTES_LIMIT = 64 * 1024;
/** An agent may say anything of any length. More than the path of a workspace needs, which the folder is compared with. */
const FIELD_LIMIT = 1_000;

export const MISSED_NAME = 'missed.jsonl';

export function missedFile(data: string): string {
  return join(data, MISSED_NAME);
}

/** Says where the user will look that something was missed. A hook must not fail, so not even this may. */
export function noteMissed(data: string, missed: Missed): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const file = missedFile(data);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > FILE_BYTES_LIMIT) shorten(file);
    const line = JSON.stringify(missed, (_, field) =>
      typeof field === 'string' ? field.slice(0, FIELD_LIMIT) : field,
    );
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // A disk that takes nothing more is what `pal doctor` finds by itself.
  }
}

/** How long ago something was missed; without end when nothing ever was. */
export function sinceMissMs(data: string): number {
  const at = statSync(missedFile(data), { throwIfNoEntry: false })?.mtimeMs;
  return at === undefined ? Number.POSITIVE_INFINITY : Math.abs(Date.now() - at);
}

/** What was missed since `since`, oldest first. */
export function readMissed(data: string, since: number): readonly Missed[] {
  let text: string;
  try {
    text = readFileSync(missedFile(data), 'utf8');
  } catch {
    return []; // Nothing was ever missed, or nobody may know.
  }
  return text.split('\n').flatMap((line) => {
    const missed = parsed(line);
    return missed !== null && Date.parse(missed.at) >= since ? [missed] : [];
  });
}

function shorten(file: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.slice(Math.floor(lines.length / 2)).join('\n'), { mode: 0o600 });
}

function parsed(line: string): Missed | null {
  try {
    const value = JSON.parse(line) as Partial<Missed> | null;
    const texts = [value?.at, value?.agent, value?.event, value?.directory, value?.why];
    return texts.every((text) => typeof text === 'string') ? (value as Missed) : null;
  } catch {
    return null; // A line that two processes wrote into at once is one event less to tell of.
  }
}
