import type { Chance } from './chance.js';
import type { Tokens, Writer } from './token.js';

/** What a command can be made from. */
export type Scene = {
  readonly chance: Chance;
  readonly tokens: Tokens;
  readonly writer: Writer;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly hasGit: boolean;
  /** Names that have not been used; a new one for each call. */
  fresh(kind: 'file' | 'folder'): string;
};

export type ShellMove = {
  readonly name: string;
  readonly weight: number;
  /** Null when there is nothing to do it to. */
  readonly command: (scene: Scene) => string | null;
};

export const SHELL_MOVES: readonly ShellMove[] = [
  { name: 'one file', weight: 6, command: (scene) => writing(scene, scene.fresh('file'), scene.chance.between(1, 4)) },
  {
    name: 'append',
    weight: 8,
    command: (scene) => onFile(scene, (path) => `printf '%s\\n' ${line(scene)} >> ${path}`),
  },
  {
    name: 'sed -i',
    weight: 8,
    command: (scene) =>
      onFile(scene, (path) => `sed -i -e '${scene.chance.between(1, 4)}c\\' -e ${line(scene)} ${path}`),
  },
  {
    name: 'many files',
    weight: 4,
    command: (scene) =>
      scene.files.length === 0
        ? null
        : some(scene, scene.files, 5)
            .map((path) => `printf '%s\\n' ${line(scene)} >> ${quoted(path)}`)
            .join('; '),
  },
  { name: 'a new folder with 2 files', weight: 5, command: (scene) => newFolder(scene, 2) },
  { name: 'a new folder with 3 files', weight: 6, command: (scene) => newFolder(scene, 3) },
  { name: 'a new folder with 50 files', weight: 0.3, command: (scene) => newFolder(scene, 50) },
  {
    name: 'nested new folders',
    weight: 3,
    command: (scene) => {
      const folder = scene.fresh('folder');
      const places = ['a.txt', 'in/b.txt', 'in/c.txt', 'in/side/d.txt'].map((name) => `${folder}/${name}`);
      return [`mkdir -p ${quoted(`${folder}/in/side`)}`, ...places.map((place) => writing(scene, place, 1))].join(
        ' && ',
      );
    },
  },
  { name: 'remove a folder', weight: 3, command: (scene) => onFolder(scene, (folder) => `rm -r ${folder}`) },
  {
    name: 'move a folder',
    weight: 3,
    command: (scene) => onFolder(scene, (folder) => `mv ${folder} ${quoted(scene.fresh('folder'))}`),
  },
  {
    name: 'swap two folders',
    weight: 1,
    command: (scene) => {
      const [a, b] = topFolders(scene);
      if (a === undefined || b === undefined) return null;
      return `mv ${quoted(a)} .swap && mv ${quoted(b)} ${quoted(a)} && mv .swap ${quoted(b)}`;
    },
  },
  {
    name: 'rename',
    weight: 4,
    command: (scene) => onFile(scene, (path) => `mv ${path} ${quoted(scene.fresh('file'))}`),
  },
  {
    name: 'rename with an edit',
    weight: 3,
    command: (scene) =>
      onFile(scene, (path) => {
        const to = quoted(scene.fresh('file'));
        // Some tools write a new file and give it the old name: then the number on the disk is another as well.
        return scene.chance.in(0.3)
          ? `sed -i -e '1c\\' -e ${line(scene)} ${path} && mv ${path} ${to}`
          : `mv ${path} ${to} && printf '%s\\n' ${line(scene)} >> ${to}`;
      }),
  },
  {
    name: 'rename with chmod',
    weight: 2,
    command: (scene) =>
      onFile(scene, (path) => {
        const to = quoted(scene.fresh('file'));
        return `mv ${path} ${to} && chmod ${scene.chance.pick(['+x', '-x'])} ${to}`;
      }),
  },
  { name: 'delete', weight: 3, command: (scene) => onFile(scene, (path) => `rm ${path}`) },
  {
    name: 'copy',
    weight: 2,
    command: (scene) => onFile(scene, (path) => `cp -p ${path} ${quoted(scene.fresh('file'))}`),
  },
  {
    name: 'formatter over everything',
    weight: 0.7,
    command: (scene) =>
      `for f in *.txt; do [ -f "$f" ] && sed -i 's/$/ ${scene.tokens.token(scene.writer)}/' -- "$f"; done; true`,
  },
  {
    name: 'generator',
    weight: 2,
    command: (scene) =>
      `{ ${scene.tokens
        .lines(scene.writer, 12)
        .map((text) => `echo ${quoted(text)}`)
        .join('; ')}; } > ${quoted(scene.fresh('file'))}`,
  },
  {
    name: 'unpack an archive',
    weight: 1,
    command: (scene) =>
      onFolder(scene, (folder) => {
        const to = quoted(scene.fresh('folder'));
        return `mkdir ${to} && tar -cf - ${folder} | tar -xf - -C ${to}`;
      }),
  },
  {
    name: 'a command that fails half-way',
    weight: 2,
    command: (scene) =>
      onFile(scene, (path) => `printf '%s\\n' ${line(scene)} >> ${path}; false && rm ${path}; exit 3`),
  },
];

function newFolder(scene: Scene, count: number): string {
  const folder = scene.fresh('folder');
  const files = Array.from({ length: count }, (_, index) => writing(scene, `${folder}/${index + 1}.txt`, 1));
  return [`mkdir ${quoted(folder)}`, ...files].join(' && ');
}

function writing(scene: Scene, path: string, lines: number): string {
  const texts = scene.tokens.lines(scene.writer, lines).map(quoted).join(' ');
  return `printf '%s\\n' ${texts} > ${quoted(path)}`;
}

function line(scene: Scene): string {
  return quoted(scene.tokens.line(scene.writer));
}

function onFile(scene: Scene, command: (path: string) => string): string | null {
  return scene.files.length === 0 ? null : command(quoted(scene.chance.pick(scene.files)));
}

function onFolder(scene: Scene, command: (folder: string) => string): string | null {
  const folders = topFolders(scene);
  return folders.length === 0 ? null : command(quoted(scene.chance.pick(folders)));
}

/** Those that no other move relies on. */
function topFolders(scene: Scene): readonly string[] {
  return scene.folders.filter((folder) => !folder.includes('/') && !KEPT_FOLDERS.has(folder));
}

const KEPT_FOLDERS = new Set(['node_modules', 'dist', 'ign', 'nested', 'module']);

function some(scene: Scene, list: readonly string[], most: number): readonly string[] {
  return [...new Set(Array.from({ length: scene.chance.between(2, most) }, () => scene.chance.pick(list)))];
}

/** For a shell; a name with a leading dash gets a `./` before it. */
export function quoted(text: string): string {
  const safe = text.startsWith('-') ? `./${text}` : text;
  return `'${safe.replaceAll("'", `'\\''`)}'`;
}
