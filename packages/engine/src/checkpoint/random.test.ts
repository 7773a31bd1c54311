import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { Chance, seeds } from '../../../../test/search.fixture.js';
import { DEFAULT_SETTINGS } from '../basis/settings.js';
import { missingIn } from '../stories/nothing-missing.fixture.js';
import { type Stage, stage } from '../stories/stage.fixture.js';
import { photograph, save, value } from './checkpoint.fixture.js';

const SEEDS = seeds({ brief: [1], long: [2, 3, 4] });
const STEPS = 40;
const NAMES = ['a.txt', 'b', 'd/x.txt', 'd/y', 'd/e/z', 'ñ x.txt', 'd', 'e/f', '.env'];

test.each(SEEDS)(
  '[CHK3c] random edits, saves, restores, prunes and gc: every kept checkpoint comes back whole (seed %i)',
  async (seed) => {
    const chance = new Chance(seed);
    const at = await stage({
      kind: chance.pick(['git', 'plain'] as const),
      files: { 'a.txt': 'first\n', 'd/x.txt': 'x\n' },
      open: {
        settings: {
          checkpoints: { ...DEFAULT_SETTINGS.checkpoints, historyAgeMs: chance.pick([0, 1e12]), keptCount: 12 },
        },
      },
    });
    /** By checkpoint, what the folder held. The engine never sees it. */
    const oracle = new Map<string, ReadonlyMap<string, string>>();
    const story: string[] = [];
    const agent = at.agent('s');
    for (let step = 0; step < STEPS; step++) {
      const act = chance.pick([
        'edit',
        'edit',
        'edit',
        'agent',
        'agent',
        'save',
        'save',
        'restore',
        'paths',
        'delete',
        'gc',
        'reopen',
        'rename',
      ]);
      story.push(act);
      switch (act) {
        case 'edit':
          scribble(at, chance.pick(NAMES), chance);
          break;
        case 'rename':
          at.shell(`[ -e a.txt ] && mv a.txt moved.txt || mv moved.txt a.txt`);
          break;
        case 'agent':
          await agent.call('Bash', { command: 'make' }, () => scribble(at, chance.pick(NAMES), chance));
          break;
        case 'save':
          oracle.set((await save(at, `${step}`)).id, photograph(at.root));
          break;
        case 'restore':
        case 'paths':
          await restoreOne(act);
          break;
        case 'delete':
          if (oracle.size > 2) await forget(chance.pick([...oracle.keys()]));
          break;
        case 'gc':
          value(await at.workspace.gc());
          break;
        default:
          await at.reopen();
      }
    }
    value(await at.workspace.gc());
    for (const id of await keptIds()) {
      value(await at.workspace.restore(id));
      expect(photograph(at.root), `${id} after ${story.join(' ')}`).toEqual(oracle.get(id));
    }
    expect(missingIn(at.data, { historyFromMs: Number.POSITIVE_INFINITY })).toEqual([]);

    async function restoreOne(how: 'restore' | 'paths'): Promise<void> {
      const id = chance.pick([...(await keptIds()), 'none']);
      if (id === 'none') return;
      const before = photograph(at.root);
      const then = oracle.get(id)!;
      const scope = how === 'restore' ? null : chance.pick(['a.txt', 'd', 'e/f']);
      const { rescue } = value(await at.workspace.restore(id, scope === null ? {} : { paths: [scope] }));
      if (rescue !== null) oracle.set(rescue, before);
      const inScope = (path: string) => scope === null || path === scope || path.startsWith(`${scope}/`);
      const expected = new Map([...before].filter(([path]) => !inScope(path)));
      for (const [path, bytes] of then) if (inScope(path)) expected.set(path, bytes);
      expect(sorted(photograph(at.root)), `${id} ${scope} after ${story.join(' ')}`).toEqual(sorted(expected));
    }

    async function forget(id: string): Promise<void> {
      oracle.delete(id);
      // Retention may have let it go already.
      await at.workspace.deleteCheckpoint(id);
    }

    async function keptIds(): Promise<readonly string[]> {
      return (await at.workspace.checkpoints()).map(({ id }) => id).filter((id) => oracle.has(id));
    }
  },
);

/** Writes, removes, links or makes executable one path, whatever is in its way. */
function scribble(at: Stage, name: string, chance: Chance): void {
  const place = at.path(name);
  for (const above of aboveOf(name)) if (!isFolder(at, above)) rmSync(at.path(above), { force: true });
  rmSync(place, { recursive: true, force: true });
  const kind = chance.below(6);
  if (kind === 0) return;
  mkdirSync(dirname(place), { recursive: true });
  if (kind === 1) symlinkSync('a.txt', place);
  else writeFileSync(place, `${'line\r\n'.repeat(chance.below(50))}${chance.next()}\n`);
  if (kind === 2) chmodSync(place, 0o755);
}

function aboveOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, n) => parts.slice(0, n + 1).join('/'));
}

function isFolder(at: Stage, path: string): boolean {
  try {
    mkdirSync(at.path(path));
    return true;
  } catch {
    return photographIsFolder(at, path);
  }
}

function photographIsFolder(at: Stage, path: string): boolean {
  return !photograph(at.root).has(path);
}

const sorted = (map: ReadonlyMap<string, string>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
