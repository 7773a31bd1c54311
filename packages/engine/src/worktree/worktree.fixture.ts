import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterwards } from '../../../../test/afterwards.fixture.js';
import { DEFAULT_SETTINGS, type WorktreeSettings } from '../basis/settings.js';
import { readIndexFile } from '../git/index-file.js';
import type { ObjectId } from '../git/object-id.js';
import { type ObjectStore, openObjects } from '../git/objects.js';
import { committed, tempFolder, testGit, userGit, writeFiles } from '../git/repository.fixture.js';
import { encodeTree, type TreeEntry } from '../git/trees.js';
import { findRepository, indexPath } from '../git/user-repository.js';
import { collectTree } from '../tree/collect.js';
import { coverageRules } from '../tree/coverage-rules.js';
import { ScannedTree } from '../tree/scanned-tree.js';
import { makeWorktree } from './make-worktree.js';
import { removeWorktree } from './remove-worktree.js';
import type { MadeWorktree } from './worktree.js';

const stores: ObjectStore[] = [];
afterwards('file', async () => {
  for (const store of stores.splice(0)) await store.close();
});

export type Site = Awaited<ReturnType<typeof site>>;

/** A workspace with a store of ours and a place for worktrees. */
export async function site(root: string, settings: Partial<WorktreeSettings> = {}) {
  const data = tempFolder();
  const objects = await openObjects(join(data, 'content.git'), { git: testGit, durability: 'lazy' });
  stores.push(objects);
  const home = join(data, 'worktrees');
  const request = async (name: string, chosen: Partial<WorktreeSettings> = {}) => {
    const repository = await findRepository(root);
    if (!repository.ok) throw new Error(repository.error.detail);
    return {
      root,
      repository: repository.value,
      objects,
      home,
      name,
      tree: await keptTree(objects, root),
      settings: { ...DEFAULT_SETTINGS.worktree, ...settings, ...chosen },
      environment: process.env,
    };
  };
  const make = async (name = 'one', chosen: Partial<WorktreeSettings> = {}): Promise<MadeWorktree> => {
    const made = await makeWorktree(await request(name, chosen));
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    return made.value;
  };
  const remove = (name = 'one', commits: 'keep' | 'leave' = 'keep') =>
    removeWorktree({ home, name, git: testGit, commits });
  return { root, data, home, objects, request, make, remove };
}

/** What a checkpoint would hold: every covered file that is small enough. */
async function keptTree(objects: ObjectStore, root: string): Promise<ObjectId> {
  const repository = await findRepository(root);
  const found = repository.ok ? repository.value : null;
  const index = found === null ? null : await readIndexFile(indexPath(found));
  const lead = found === null || found.prefix === '' ? '' : `${found.prefix}/`;
  const entries = index?.ok === true ? index.value.entries.filter(({ path }) => path.startsWith(lead)) : [];
  const tracked = new Set(entries.map(({ path }) => path.slice(lead.length)));
  const rules = coverageRules(root, { tracked });
  const packed = collectTree(rules, '', rules.limits.entries);
  if (packed === null) throw new Error('too many files');
  const scanned = new ScannedTree(packed);
  const root_: Folder = new Map();
  for (let n = 0; n < scanned.count; n++) {
    const { mode, size } = scanned.stat(n);
    if (size > rules.limits.keptFileBytes) continue;
    const place = join(root, scanned.path(n));
    const bytes = mode === '120000' ? Buffer.from(readlinkSync(place)) : readFileSync(place);
    insert(root_, scanned.path(n).split('/'), { mode, name: '', id: await objects.write('blob', bytes) });
  }
  return store(objects, root_);
}

type Folder = Map<string, Folder | TreeEntry>;

function insert(folder: Folder, names: readonly string[], entry: TreeEntry): void {
  const [name, ...deeper] = names as [string, ...string[]];
  if (deeper.length === 0) {
    folder.set(name, { ...entry, name });
    return;
  }
  const child = folder.get(name) ?? new Map();
  folder.set(name, child);
  insert(child as Folder, deeper, entry);
}

async function store(objects: ObjectStore, folder: Folder): Promise<ObjectId> {
  const entries: TreeEntry[] = [];
  for (const [name, child] of folder)
    entries.push(child instanceof Map ? { mode: '40000', name, id: await store(objects, child) } : child);
  return objects.write('tree', encodeTree(entries));
}

/** All that is in a tree, as lines; a folder only when it is empty. */
export function photograph(folder: string, below = ''): readonly string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter(({ name }) => name !== '.git')
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      const place = join(folder, path);
      if (entry.isDirectory()) return photograph(folder, path);
      if (entry.isSymbolicLink()) return [`${path} -> ${readlinkSync(place)}`];
      const executable = (lstatSync(place).mode & 0o100) === 0 ? '' : '*';
      return [`${path}${executable} ${readFileSync(place).toString('latin1')}`];
    })
    .sort();
}

export const status = (folder: string) => userGit(folder, 'status', '--porcelain=v1', '--untracked-files=all');

/** A repository in use: staged, edited, deleted, renamed, new, executable, linked, ignored. */
export function dirtyRepository(): string {
  const root = committed(join(tempFolder(), 'project'), {
    '.gitignore': '*.log\n.env\n/secret/\nnode_modules\ntarget\n',
    'a.txt': 'a\n',
    'edited.txt': 'before\n',
    'staged.txt': 'before\n',
    'both.txt': 'before\n',
    'gone.txt': 'gone\n',
    'old name.txt': 'moved\nmoved\nmoved\n',
    'deep/er/file.txt': 'deep\n',
    'crlf.txt': 'one\r\ntwo\r\n',
  });
  dirty(root);
  userGit(root, 'add', 'staged.txt', 'both.txt');
  userGit(root, 'mv', 'old name.txt', 'new näme.txt');
  writeFiles(root, { 'both.txt': 'after and later\n' });
  return root;
}

/** The same folder without git. */
export function plainFolder(): string {
  const root = writeFiles(join(tempFolder(), 'project'), { '.gitignore': '*.log\n.env\n/secret/\n', 'a.txt': 'a\n' });
  dirty(root);
  return root;
}

export function unborn(): string {
  const root = plainFolder();
  userGit(root, 'init', '-q');
  return root;
}

function dirty(root: string): void {
  writeFiles(root, {
    'edited.txt': 'after\n',
    'staged.txt': 'after\n',
    'both.txt': 'after\n',
    'untracked/new.txt': 'new\n',
    'bytes.bin': Uint8Array.from({ length: 256 }, (_, n) => n),
    'empty.txt': '',
    'run.sh': '#!/bin/sh\n',
    '.env': 'KEY=1\n',
    'noise.log': 'noise\n',
    'secret/key': 'key\n',
  });
  chmodSync(join(root, 'run.sh'), 0o755);
  symlinkSync('a.txt', join(root, 'link'));
  symlinkSync('/nowhere/at all', join(root, 'broken'));
  execFileSync('rm', ['-f', join(root, 'gone.txt')]);
  mkdirSync(join(root, 'node_modules/dep'), { recursive: true });
  writeFiles(root, { 'node_modules/dep/index.js': 'module.exports = 1;\n' });
}
