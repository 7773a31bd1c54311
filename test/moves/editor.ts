import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sceneOf } from './scene.js';
import type { Stage } from './stage.js';
import { HUMAN, isAgents } from './token.js';
import { linesOf } from './tools.js';

type Save = {
  readonly move: string;
  readonly weight: number;
  readonly play: (stage: Stage, path: string) => Promise<readonly string[]>;
};

/** What a person's editor does to one file; gives the paths that it touched. */
const SAVES: readonly Save[] = [
  {
    move: 'save in place',
    weight: 12,
    play: async (stage, path) => saved(path, () => writeFileSync(at(stage, path), edited(stage, path), 'latin1')),
  },
  { move: 'atomic save', weight: 6, play: atomicSave },
  { move: 'truncate, pause, write', weight: 1, play: pausedSave },
  {
    move: 'save the same bytes',
    weight: 1,
    play: async (stage, path) => saved(path, () => writeFileSync(at(stage, path), readFileSync(at(stage, path)))),
  },
  { move: 'change and change back', weight: 1, play: changeAndBack },
  { move: 'save from an old buffer', weight: 2, play: (stage, path) => oldBuffer(stage, path, 'changed') },
  { move: 'undo in the editor', weight: 2, play: (stage, path) => oldBuffer(stage, path, 'as it was') },
  { move: 'delete', weight: 2, play: async (stage, path) => saved(path, () => rmSync(at(stage, path))) },
  { move: 'rename', weight: 2, play: rename },
];

/** Somebody saves something. While a command of an agent's runs, only an announced save can be told apart from it. */
export async function playEditor(
  stage: Stage,
  prefer: string | null = null,
  how: 'as usual' | 'silent' = 'as usual',
): Promise<void> {
  const { chance, table } = stage;
  const files = sceneOf(stage, HUMAN).files.filter((path) => existsSync(at(stage, path)));
  const before = new Set([...stage.photograph().files.values()].flatMap(({ id }) => stage.tokensOf(id)));
  let paths: readonly string[];
  if (files.length === 0 || (prefer === null && chance.in(0.12))) {
    const path = sceneOf(stage, HUMAN).fresh('file');
    mkdirSync(dirname(at(stage, path)), { recursive: true });
    writeFileSync(at(stage, path), textOf(stage));
    table.count('human, editor', 'create');
    stage.say(`human creates ${path}`);
    paths = [path];
  } else {
    const path = prefer !== null && files.includes(prefer) ? prefer : chance.pick(files);
    const { move, play } = chance.weighed(SAVES);
    table.count('human, editor', move);
    stage.say(`human: ${move}: ${path}`);
    paths = await play(stage, path);
    if (BUFFERED.has(move)) loosenUnseen(stage, paths, before);
  }
  stage.did({ by: 'human' });
  stage.glance();
  if (how === 'as usual') await announce(stage, paths, before);
}

const BUFFERED: ReadonlySet<string> = new Set(['save from an old buffer', 'undo in the editor']);

/** What an editor alone has seen of an agent's work, before it was gone again, nobody else can know to be that. */
function loosenUnseen(stage: Stage, paths: readonly string[], before: ReadonlySet<string>): void {
  const brought = paths
    .filter((path) => existsSync(at(stage, path)))
    .flatMap((path) => stage.tokensOf(stage.album.keep(readFileSync(at(stage, path)))));
  stage.tokens.loosen(brought.filter((token) => isAgents(token) && !before.has(token) && !stage.seen.has(token)));
}

async function announce(stage: Stage, paths: readonly string[], before: ReadonlySet<string>): Promise<void> {
  if (!stage.open.some(({ shell }) => shell) && !stage.murky) return;
  if (stage.chance.in(0.5)) {
    stage.table.count('human, editor', 'an announced save');
    stage.say(`  announced ${paths.join(', ')}`);
    for (const path of paths) stage.answered(await stage.desk.note({ kind: 'saved', path }), 'an announced save');
    return;
  }
  for (const path of paths)
    if (existsSync(at(stage, path)))
      stage.tokens.loosen(
        stage.tokensOf(stage.album.keep(readFileSync(at(stage, path)))).filter((token) => !before.has(token)),
      );
}

/** Some lines changed in one or two places. */
export function edited(stage: Stage, path: string): string {
  const text = stage.text(path);
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = [...linesOf(text)];
  for (let places = stage.chance.between(1, 2); places > 0; places--) {
    const place = stage.chance.below(lines.length + 1);
    const last = lines.at(-1);
    if (place === lines.length && last !== undefined && !last.endsWith('\n')) lines.push(`${lines.pop()}${ending}`);
    lines.splice(place, stage.chance.below(2), `${stage.tokens.line(HUMAN)}${ending}`);
  }
  return lines.join('');
}

function textOf(stage: Stage): string {
  return stage.tokens
    .lines(HUMAN, stage.chance.between(1, 6))
    .map((line) => `${line}\n`)
    .join('');
}

async function atomicSave(stage: Stage, path: string): Promise<readonly string[]> {
  const draft = join(dirname(at(stage, path)), '.tmp-editor');
  const { mode } = statSync(at(stage, path));
  writeFileSync(draft, edited(stage, path), { encoding: 'latin1', mode });
  renameSync(draft, at(stage, path));
  return [path];
}

async function pausedSave(stage: Stage, path: string): Promise<readonly string[]> {
  const text = edited(stage, path);
  writeFileSync(at(stage, path), '');
  await sleep(stage.chance.between(1, 30));
  writeFileSync(at(stage, path), text, 'latin1');
  return [path];
}

async function changeAndBack(stage: Stage, path: string): Promise<readonly string[]> {
  const bytes = readFileSync(at(stage, path));
  writeFileSync(at(stage, path), edited(stage, path), 'latin1');
  writeFileSync(at(stage, path), bytes);
  return [path];
}

/** The buffer was opened before others wrote: what they did since is gone, and what they removed is back. */
async function oldBuffer(stage: Stage, path: string, how: 'changed' | 'as it was'): Promise<readonly string[]> {
  const old = stage.versions.get(path) ?? [];
  const bytes = stage.bytesOf(stage.chance.pick(old.length === 0 ? [stage.now.files.get(path)!.id] : old));
  if (bytes === undefined) return [path];
  for (const token of stage.tokensOf(stage.album.keep(bytes))) stage.moved.add(token);
  writeFileSync(at(stage, path), bytes);
  if (how === 'changed') writeFileSync(at(stage, path), edited(stage, path), 'latin1');
  return [path];
}

async function rename(stage: Stage, path: string): Promise<readonly string[]> {
  const to = sceneOf(stage, HUMAN).fresh('file');
  if (existsSync(at(stage, to))) return [];
  mkdirSync(dirname(at(stage, to)), { recursive: true });
  renameSync(at(stage, path), at(stage, to));
  return [path, to];
}

function saved(path: string, save: () => void): readonly string[] {
  save();
  return [path];
}

function at(stage: Stage, path: string): string {
  return join(stage.world.root, path);
}

/** A sync client gives files other times and leaves their bytes. */
export function touchTimes(stage: Stage): void {
  for (const path of stage.files().slice(0, 5)) {
    const date = new Date(1_700_000_000_000 + stage.chance.below(1_000_000_000));
    utimesSync(at(stage, path), date, date);
  }
}
