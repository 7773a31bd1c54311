import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Chance } from './chance.js';
import { IGNORE_RULES } from './coverage.js';
import type { Table } from './table.js';
import { START, Tokens } from './token.js';
import { type Around, ORACLE_MARK, World } from './world.js';

const AROUND: readonly { readonly around: Around; readonly weight: number }[] = [
  { around: 'git with commits', weight: 6 },
  { around: 'no git', weight: 2 },
  { around: 'git without commits', weight: 1 },
  { around: 'a folder inside a repository', weight: 1 },
  { around: 'a linked worktree', weight: 1 },
];

/** A folder with some files in it, before anybody comes. */
export function makeWorld(chance: Chance, table: Table): World {
  const { around } = chance.weighed(AROUND);
  table.count('Around it', around);
  const inside = around === 'no git' && chance.in(0.25);
  if (inside) table.count('Around it', 'data inside the workspace');
  const world = new World(around, inside ? 'inside' : 'beside');
  const tokens = new Tokens();
  const write = (path: string, bytes: string, mode = 0o644) => {
    const place = join(world.root, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes, 'latin1');
    if (mode !== 0o644) chmodSync(place, mode);
  };
  const lines = (count: number, ending = '\n') =>
    tokens
      .lines(START, count)
      .map((line) => `${line}${ending}`)
      .join('');
  write('.gitignore', IGNORE_RULES);
  const many = chance.in(0.08);
  table.count('Around it', many ? '300 files' : '3 files');
  for (let index = 0; index < (many ? 300 : 3); index++) write(`src/file${index}.txt`, lines(chance.between(2, 8)));
  write('readme.txt', lines(12));
  write('docs/guide.txt', lines(8));
  for (const [kind, bytes] of SUBJECTS(lines)) {
    if (!chance.in(0.4)) continue;
    table.count('On what', kind);
    write(`kinds/${kind.replaceAll(/\W+/g, '-')}.txt`, bytes);
  }
  if (chance.in(0.4)) {
    table.count('On what', 'equal contents in two files');
    write('twins/one.txt', 'equal\n');
    write('twins/two.txt', 'equal\n');
  }
  if (chance.in(0.4)) {
    table.count('On what', 'executable');
    write('run.txt', lines(3), 0o755);
  }
  links(world, chance, table);
  if (world.hasGit && chance.in(0.2)) nestedRepository(world, table, lines(4));
  world.prepareGit();
  if (around === 'git with commits') repositoryKinds(world, chance, table, lines);
  table.count('On what', world.hasGit ? 'tracked' : 'untracked');
  return world;
}

const SUBJECTS = (lines: (count: number, ending?: string) => string): readonly (readonly [string, string])[] => [
  ['LF', lines(5)],
  ['CRLF', lines(5, '\r\n')],
  ['mixed', `${lines(2, '\r\n')}${lines(3)}`],
  ['BOM', `\xef\xbb\xbf${lines(4)}`],
  ['no final newline', lines(4).slice(0, -1)],
  ['empty', ''],
  ['binary', `\0\x01${lines(2)}\0\xff\xfe`],
  ['invalid UTF-8', `${lines(2)}\xff\xfe\xc3\n${lines(1)}`],
];

function nestedRepository(world: World, table: Table, text: string): void {
  table.count('On what', 'in a nested repository');
  const folder = join(world.root, 'nested');
  mkdirSync(folder);
  writeFileSync(join(folder, 'inner.txt'), text);
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'inner'],
  ])
    execFileSync('git', args, { cwd: folder, env: world.environment });
}

/** Repositories that are not as plain as most. */
function repositoryKinds(world: World, chance: Chance, table: Table, lines: (count: number) => string): void {
  if (chance.in(0.15)) {
    table.count('Around it', 'autocrlf and filters');
    world.git('config', 'core.autocrlf', 'true');
  }
  if (chance.in(0.25)) {
    table.count('Around it', 'a hostile config');
    hostileConfig(world);
  }
  if (chance.in(0.1)) {
    table.count('Around it', 'LFS pointers');
    writeFileSync(
      join(world.root, 'large.bin'),
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`,
    );
    world.commitAll('pointer');
  }
  if (chance.in(0.1)) {
    table.count('Around it', 'sparse');
    world.git('sparse-checkout', 'set', '--no-cone', '/*', '!/docs/');
  }
  if (chance.in(0.15)) {
    table.count('Around it', 'submodules');
    table.count('On what', 'in a submodule');
    const lender = join(world.base, 'lender');
    mkdirSync(lender);
    writeFileSync(join(lender, 'sub.txt'), lines(3));
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-q', '-m', 'sub'],
    ])
      execFileSync('git', args, { cwd: lender, env: world.environment });
    world.git('submodule', '--quiet', 'add', lender, 'module');
    world.commitAll('submodule');
  }
}

/** Programs that the repository names; whoever but the oracle's own git runs one leaves a trace beside the workspace. */
function hostileConfig(world: World): void {
  const program = join(world.base, 'hostile.sh');
  const trace = join(world.beside, 'hostile-ran');
  writeFileSync(program, `#!/bin/sh\n[ -n "$${ORACLE_MARK}" ] || date >> '${trace}'\ncat\n`, { mode: 0o755 });
  for (const [name, value] of [
    ['filter.evil.clean', program],
    ['filter.evil.smudge', program],
    ['diff.evil.textconv', program],
    ['core.sshCommand', program],
    ['core.pager', program],
    ['credential.helper', program],
  ] as const)
    world.git('config', name, value);
  writeFileSync(join(world.root, '.gitattributes'), '*.txt filter=evil diff=evil\n');
  mkdirSync(join(world.root, '.git/hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'pre-commit', 'post-commit', 'post-index-change'])
    writeFileSync(join(world.root, '.git/hooks', hook), `#!/bin/sh\n[ -n "$${ORACLE_MARK}" ] || date >> '${trace}'\n`, {
      mode: 0o755,
    });
  world.commitAll('hostile');
}

function links(world: World, chance: Chance, table: Table): void {
  const kinds: readonly (readonly [string, string])[] = [
    ['symlink to file', 'readme.txt'],
    ['symlink to folder', 'src'],
    ['symlink outside', '../beside/folder'],
    ['symlink to nowhere', 'nothing/here'],
  ];
  for (const [kind, target] of kinds) {
    if (!chance.in(0.25)) continue;
    table.count('On what', kind);
    symlinkSync(target, join(world.root, `link-${kind.split(' ').at(-1)}`));
  }
}
