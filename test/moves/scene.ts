import type { Scene } from './shell.js';
import type { Stage } from './stage.js';
import type { Writer } from './token.js';

const PLAIN = ['a', 'b', 'notes', 'main', 'index', 'util', 'readme', 'list'];
/** The odd ones come now and then. */
const ODD: readonly (readonly [string, string])[] = [
  ['with space', 'name with space'],
  ["it's", 'name with quote'],
  ['new\nline', 'name with newline'],
  ['-dash', 'name with leading dash'],
  ['caf\u00e9', 'name in NFC'],
  ['cafe\u0301', 'name in NFD'],
  ['esc\u001b[31m', 'name with escapes'],
  ['l'.repeat(240), 'name of 255 bytes'],
];

export function sceneOf(stage: Stage, writer: Writer): Scene {
  const { chance, tokens } = stage;
  return {
    chance,
    tokens,
    writer,
    files: stage.files().filter((path) => !isSpecialCase(path) || IN_REPOSITORIES.test(path)),
    folders: [...stage.now.folders].filter((folder) => !isSpecialCase(folder)),
    hasGit: stage.world.hasGit,
    fresh: (kind) => freshName(stage, kind),
  };
}

/** A name that has never been used, in any folder. */
export function freshName(stage: Stage, kind: 'file' | 'folder'): string {
  const { chance } = stage;
  const number = stage.newName();
  const odd = chance.in(0.04) ? chance.pick(ODD) : null;
  if (odd !== null) stage.table.count('On what', odd[1]);
  const stem = `${odd?.[0] ?? chance.pick(PLAIN)}${number}`;
  if (kind === 'folder') return stem;
  const folders = [...stage.now.folders].filter((folder) => !isSpecialCase(folder));
  const ending = chance.in(0.05) ? '.log' : '.txt';
  if (ending === '.log') stage.table.count('On what', 'ignored');
  const name = `${stem}${ending}`;
  return folders.length > 0 && chance.in(0.4) ? `${chance.pick(folders)}/${name}` : name;
}

const IN_REPOSITORIES = /^(nested|module)\/.*\.txt$/;

/** Nested repositories and uncovered folders have moves of their own. */
function isSpecialCase(path: string): boolean {
  return (
    /^(node_modules|dist|ign|nested|module)(\/|$)/.test(path) || path === '.gitignore' || path === '.gitattributes'
  );
}
