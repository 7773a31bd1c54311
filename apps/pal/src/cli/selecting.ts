import type { Command } from 'commander';
import type { Face } from '../face/face.js';
import { Failure } from '../face/failure.js';

export type GivenSelection = {
  readonly hunk?: readonly string[];
  readonly call?: string;
  readonly path?: string;
  readonly session?: string;
  readonly all?: true;
  readonly at?: string;
  readonly dryRun?: true;
};

/** The ways to say which changes a verdict is about; `accept` and `reject` share them. */
export function selecting(command: Command): Command {
  return command
    .argument('[change...]', 'ids of changes or hunks, as `pal show` lists them; c12 is all of operation 12')
    .option('--hunk <id...>', 'only these hunks')
    .option('--call <id>', 'all that is open of this tool call; the beginning of its id is enough')
    .option('--path <path>', "all that is open in this file, in this folder, or under 'lib/**'")
    .option('--session <id>', 'all that is open of this session; the beginning of its id is enough')
    .option('--all', 'all that is open')
    .option('--at <seq>', 'what you decided on; refused if a file concerned has changed since')
    .option('--dry-run', 'say what would be done, and do nothing');
}

export function selectionOf(face: Face, ids: readonly string[], given: GivenSelection) {
  const { call, path, session, all, at, dryRun } = given;
  const hunks = [...ids.filter(isHunk), ...(given.hunk ?? [])];
  const changes = ids.filter((id) => !isHunk(id));
  if (
    changes.length + hunks.length === 0 &&
    call === undefined &&
    path === undefined &&
    session === undefined &&
    !all
  ) {
    throw new Failure(
      'usage',
      'say which changes',
      'name ids, or use --path, --call, --session or --all; `pal changes` lists what is pending',
    );
  }
  return {
    changes: changes.length === 0 ? undefined : changes,
    hunks: hunks.length === 0 ? undefined : hunks,
    path: path === undefined ? undefined : face.resolve(path),
    at: at === undefined ? undefined : seqOf(at),
    ...{ call, session, all, dryRun },
  };
}

/** Hunk ids have one number more: `c12.1.3`. */
function isHunk(id: string): boolean {
  return /^c\d+\.\d+\.\d+$/.test(id);
}

function seqOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Failure('usage', `--at needs a number, not ${JSON.stringify(text)}`);
}
