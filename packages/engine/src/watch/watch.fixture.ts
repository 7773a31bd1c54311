import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asPath } from '@palimpsest/core';
import { afterEach, describe, expect, test } from 'vitest';
import type { Settled, Watch } from './watch.js';

export type WatchSetUp = { readonly watch: Watch; readonly change: (path: string) => void };

/** What every watch promises. `change` makes a file differ and, where there is no disk, says so. */
export function watchContract(name: string, open: () => Promise<WatchSetUp>): void {
  describe(`[CAP1b] the contract of a watch: ${name}`, () => {
    let setUp: WatchSetUp | null = null;
    const opened = async () => {
      setUp = await open();
      return setUp;
    };
    afterEach(async () => {
      await setUp?.watch.close();
    });

    test('it gives a note exactly when it is scanning', async () => {
      const { watch } = await opened();
      expect(watch.note !== null).toBe(watch.mode === 'scanning');
    });
    test('a change is covered by the next settle, and by no later one', async () => {
      const { watch, change } = await opened();
      await watch.settle();
      change('a');
      change('b c');
      const first = await watch.settle();
      const second = await watch.settle();
      expect([covers(first, 'a'), covers(first, 'b c')]).toEqual([true, true]);
      if (watch.mode === 'events') expect(second).toEqual({ hints: new Set() });
      else expect(second).toEqual({ hints: 'rescan' });
    });
    test('settles at the same time lose nothing', async () => {
      const { watch, change } = await opened();
      change('a');
      const all = await Promise.all([watch.settle(), watch.settle(), watch.settle()]);
      expect(all.some((settled) => covers(settled, 'a'))).toBe(true);
    });
    test('listeners are told, in bundles, until they undo it', async () => {
      const { watch, change } = await opened();
      if (watch.mode === 'scanning') return;
      let told = 0;
      const undo = watch.onHint(() => told++);
      change('a');
      await watch.settle();
      expect(told).toBeGreaterThan(0);
      undo();
      const before = told;
      change('a');
      await watch.settle();
      expect(told).toBe(before);
    });
    test('folders can be added, also ones that are not there', async () => {
      const { watch, change } = await opened();
      await watch.addFolders([asPath('node_modules/x'), asPath('gone')]);
      await watch.settle();
      change('gone');
      expect(covers(await watch.settle(), 'gone')).toBe(true);
    });
    test('closed, it asks for scans and can be closed again', async () => {
      const { watch } = await opened();
      await watch.close();
      await watch.close();
      expect(await watch.settle()).toEqual({ hints: 'rescan' });
      expect(watch.mode).toBe('scanning');
    });
  });
}

export function covers(settled: Settled, path: string): boolean {
  return settled.hints === 'rescan' || settled.hints.has(asPath(path));
}

/** Every file below a folder with its content, but for scratch, seen without any code of ours. */
export function contents(root: string, at = '', found = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(join(root, at), { withFileTypes: true })) {
    const path = at === '' ? entry.name : `${at}/${entry.name}`;
    if (entry.name.startsWith('.tmp')) continue;
    if (entry.isDirectory()) contents(root, path, found);
    else if (entry.isSymbolicLink()) found.set(path, `-> ${readlinkSync(join(root, path))}`);
    else found.set(path, readFileSync(join(root, path), 'latin1'));
  }
  return found;
}

/**
 * Differences that the hints do not cover. A path that was known before is covered by a hint about a folder above it;
 * one that is new must be hinted itself.
 */
export function missed(before: Map<string, string>, after: Map<string, string>, hints: ReadonlySet<string>): string[] {
  const hinted = (path: string): boolean =>
    hints.has(path) || (path.includes('/') && hinted(path.slice(0, path.lastIndexOf('/'))));
  const changed = [...before.keys()].filter((path) => after.get(path) !== before.get(path) && !hinted(path));
  const created = [...after.keys()].filter((path) => !before.has(path) && !hints.has(path));
  return [...changed, ...created].sort();
}
