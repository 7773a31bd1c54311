import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isBinary, mergeLines, renderConflict } from '@palimpsest/core';
import type { ChangeJson, Client } from '@palimpsest/protocol';
import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { Failure } from '../face/failure.js';

/** Both sides of a conflict between markers in the user's editor, and what the user makes of them. */
export async function editedByHand(face: Face, id: string): Promise<Uint8Array> {
  const client = await clientOf(face);
  const { change } = said(await client.getChange({ params: { change: id } }));
  const { workspace } = said(await client.status());
  const path = change.movedTo ?? change.path;
  const mine = bytesAt(workspace.root, path);
  const draft = await markedText(client, change, mine);
  const edited = edit(basename(path), draft, face.surroundings.environment);
  if (!same(bytesAt(workspace.root, path), mine)) {
    throw new Failure(
      'moved',
      `${change.path} was changed while you edited; nothing was written`,
      'look at it, then settle it again',
    );
  }
  return edited;
}

async function markedText(client: Client, { conflict, path }: ChangeJson, mine: Uint8Array): Promise<Uint8Array> {
  const content = async (id: string | null | undefined) =>
    id === null || id === undefined ? new Uint8Array() : said(await client.getContent({ params: { content: id } }));
  const [base, theirs] = [await content(conflict?.base), await content(conflict?.theirs)];
  if ([base, mine, theirs].some(isBinary))
    throw new Failure('usage', `${path} is no text`, 'use --take or --with FILE');
  const merged = mergeLines(base, mine, theirs);
  return merged.kind === 'clean'
    ? mine
    : renderConflict(merged.chunks, { ours: 'as it is', theirs: 'without the change' });
}

function edit(name: string, draft: Uint8Array, environment: Face['surroundings']['environment']): Uint8Array {
  // A variable that is set to nothing names no editor: the command line would be the draft alone, and run it.
  const editor = environment.VISUAL || environment.EDITOR || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'pal-edit-'));
  try {
    const file = join(folder, name);
    writeFileSync(file, draft);
    // The editor is a command line of the user's, such as `code --wait`; the file comes as an argument of its own.
    const { status } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    if (status !== 0) throw unfinished(`the editor (${editor}) ended with ${status ?? 'a signal'}`);
    const edited = readFileSync(file);
    if (MARKERS.test(edited.toString('latin1'))) throw unfinished('there are still conflict markers in it');
    return edited;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MARKERS = /^(<{7} as it is|>{7} without the change)\r?$/m;

function unfinished(why: string): Failure {
  return new Failure('nothing-to-do', `nothing was settled: ${why}`);
}

/** Of a file of the workspace, and of nothing that a link leads to. */
function bytesAt(root: string, path: string): Uint8Array {
  const file = join(root, path);
  const refused = new Failure('usage', `${path} is no file that can be edited`, 'use --take');
  let opened: number;
  try {
    if (realpathSync(dirname(file)) !== join(realpathSync(root), dirname(path))) throw refused;
    // Without waiting for whoever would write into a pipe.
    opened = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Uint8Array();
    throw refused;
  }
  try {
    if (!fstatSync(opened).isFile()) throw refused;
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
