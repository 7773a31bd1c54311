import { closeSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { asPath, type FileVersion, type WorkspacePath } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { memoryContent } from '../content/memory-content.fixture.js';
import { memoryLog } from '../log/memory-log.fixture.js';
import { KnownTree } from '../store/known-tree.js';
import { LiveLog } from '../store/live-log.js';
import { Views } from '../store/views.js';
import { moveAside } from '../tree/aside.js';
import type { Disk } from '../tree/disk.js';
import { newFolder, put } from '../tree/folder.fixture.js';
import { HeldFolders } from '../tree/held-folder.js';
import { openDisk } from '../tree/real-disk.js';
import { SYNC_ALONE } from '../tree/sync-group.js';
import { Writer } from './writer.js';

/** The real writer and the real disk, on which somebody acts in the moment after the old file was moved aside. */
function desk(root: string, meanwhile: (path: WorkspacePath) => void = () => undefined) {
  const content = memoryContent();
  const log = memoryLog();
  const known = new KnownTree();
  const live = new LiveLog(log, new Views(log), Date.now, (error) => {
    throw error;
  });
  const real = openDisk(root);
  const disk: Disk = {
    stat: (path) => real.stat(path),
    read: (path) => real.read(path),
    identify: (path) => real.identify(path),
    removeEmptyFolders: (above) => real.removeEmptyFolders(above),
    clearLeftovers: (paths, leftovers) => real.clearLeftovers(paths, leftovers),
    write: (path, expected, next, hash, options = {}) => {
      const syncing = options.syncing ?? SYNC_ALONE;
      const othersDone = async () => {
        meanwhile(path);
        await syncing.othersDone();
      };
      return real.write(path, expected, next, hash, { ...options, syncing: { ...syncing, othersDone } });
    },
  };
  const remarks: string[] = [];
  const writer = new Writer({
    place: null,
    disk,
    content,
    known,
    live,
    isAhead: () => false,
    wrote: () => undefined,
    remark: (line) => remarks.push(line),
  });
  const version = async (text: string): Promise<FileVersion> => {
    const bytes = new TextEncoder().encode(text);
    return { content: await content.put(bytes), mode: '100644', size: bytes.length };
  };
  return { writer, content, log, known, remarks, version };
}

const BODY = { kind: 'restored', checkpoint: 'k1', rescue: 'k2', mode: 'files', takenBack: [], files: [] } as never;
const seen = (root: string) => readdirSync(root).map((name) => `${name}=${readFileSync(join(root, name), 'utf8')}`);

test('[CHK5f] two saves while a file is replaced: the later is on the disk, the earlier in the log and in the status', async () => {
  for (const next of ['new', null]) {
    const root = put(newFolder(), { a: 'old', b: 'old' });
    const fd = openSync(join(root, 'a'), 'r+');
    let saved = false;
    const at = desk(root, (path) => {
      if (path !== 'a' || saved) return;
      saved = true;
      writeSync(fd, 'first save', 0);
      writeFileSync(join(root, 'draft'), 'second save');
      renameSync(join(root, 'draft'), join(root, 'a'));
    });
    const old = await at.version('old');
    const after = next === null ? null : await at.version(next);
    const writes = ['a', 'b'].map((path) => ({ path: asPath(path), expected: old, next: after }));
    expect(await at.writer.apply(writes, BODY)).toMatchObject({ ok: false, error: { code: 'moved', paths: ['a'] } });
    closeSync(fd);
    expect(seen(root)).toEqual(['a=second save', 'b=old']);
    const first = await at.version('first save');
    expect(at.log.read(0, 10)).toMatchObject([{ kind: 'changed', files: [{ path: 'a', after: first }] }]);
    expect(at.known.get(asPath('a'))).toMatchObject({ content: first.content, mtimeMs: -1 });
    expect(at.remarks.join()).toContain(first.content);
  }
});

test('[I5] bytes that the store does not have are neither replaced nor removed', async () => {
  const root = put(newFolder(), { a: 'kept nowhere' });
  const at = desk(root);
  const expected = await at.version('kept nowhere');
  await at.content.forget([expected.content]);
  for (const next of [await at.version('new'), null]) {
    expect(await at.writer.apply([{ path: asPath('a'), expected, next }], BODY)).toEqual({
      ok: false,
      error: { code: 'unknown-content', content: expected.content },
    });
  }
  expect(seen(root)).toEqual(['a=kept nowhere']);
});

test('[CHK5f] two saves while a call writes through us: the later is on the disk, the earlier in the log', async () => {
  const root = put(newFolder(), { a: 'old' });
  const fd = openSync(join(root, 'a'), 'r+');
  const at = desk(root, () => {
    writeSync(fd, 'first save', 0);
    writeFileSync(join(root, 'draft'), 'second save');
    renameSync(join(root, 'draft'), join(root, 'a'));
  });
  const old = await at.version('old');
  const done = await at.writer.replace(asPath('a'), old.content, new TextEncoder().encode('new'));
  closeSync(fd);
  expect(done).toMatchObject({ ok: false, error: { code: 'moved', paths: ['a'] } });
  expect(seen(root)).toEqual(['a=second save']);
  const first = await at.version('first save');
  expect(at.log.read(0, 10)).toMatchObject([
    { kind: 'changed', cause: 'rescue', files: [{ path: 'a', after: first }] },
  ]);
});

test('[CHK5g] killed while a call wrote through us: what was moved aside has its name back on the next open', async () => {
  const root = put(newFolder(), { a: 'old' });
  const at = desk(root);
  const [expected, next] = [await at.version('old'), await at.version('new')];
  at.log.marks.set('writing', JSON.stringify({ writes: [{ path: 'a', expected, next }], body: null, after: 0 }));
  const folder = new HeldFolders(root).hold(root);
  moveAside(folder, 'a');
  folder.release();
  expect(await at.writer.recover()).toBeNull();
  expect([seen(root), at.log.marks.get('writing')]).toEqual([['a=old'], '']);
});
