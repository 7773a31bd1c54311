import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Chance, seeds } from '../../../../test/search.fixture.js';
import { type Stage, stage } from '../stories/stage.fixture.js';
import { photograph, save, value } from './checkpoint.fixture.js';

const IGNORE = 'ign/\n*.log\n.env\n';
const SEEDS = seeds({ brief: [1], long: [2, 3, 4] });
const STEPS = 40;

test('[CHK5c] an ignored file that a person made or changed since stays as it is, and the plan says so', async () => {
  const at = await stage({ files: { '.gitignore': IGNORE, 'a.txt': '1\n' } });
  at.write('.env', 'KEY=1\n');
  await at.workspace.look();
  const saved = await save(at);
  at.write('ign/mine', 'mine\n');
  at.write('.env', 'KEY=2\n');
  at.write('plain.txt', 'not ignored\n');
  await at.workspace.look();
  await at.agent('s').shell('mkdir -p ign/made && echo a > ign/made/a && echo 2 > a.txt');
  const plan = value(await at.workspace.planRestore(saved.id));
  expect(plan).toMatchObject({
    writes: ['a.txt'],
    deletes: ['ign/made/a', 'plain.txt'],
    yours: ['plain.txt'],
    left: [
      { path: '.env', reason: 'ignored' },
      { path: 'ign/mine', reason: 'ignored' },
    ],
  });
  const before = photograph(at.root);
  const done = value(await at.workspace.restore(saved.id, { token: plan.token }));
  expect(done.left.map(({ path }) => path)).toEqual(['.env', 'ign/mine']);
  expect([at.read('.env'), at.read('ign/mine'), at.read('a.txt')]).toEqual(['KEY=2\n', 'mine\n', '1\n']);
  expect([existsSync(at.path('ign/made')), at.read('plain.txt')]).toEqual([false, null]);
  value(await at.workspace.undo());
  expect(photograph(at.root)).toEqual(before);
});

test('[CHK5c] an ignored path goes back when it is named, and what git tracks is not ignored', async () => {
  const at = await stage({ files: { '.gitignore': IGNORE, 'a.txt': '1\n' } });
  at.write('ign/tracked', '1\n');
  at.write('.env', 'KEY=1\n');
  at.git('add', '-f', 'ign/tracked');
  await at.workspace.look();
  const saved = await save(at);
  at.write('ign/tracked', '2\n');
  at.write('ign/mine', 'mine\n');
  at.write('.env', 'KEY=2\n');
  await at.workspace.look();
  const whole = value(await at.workspace.planRestore(saved.id));
  expect([whole.writes, whole.left.map(({ path }) => path)]).toEqual([['ign/tracked'], ['.env', 'ign/mine']]);
  const named = value(await at.workspace.planRestore(saved.id, { paths: ['.env'] }));
  expect([named.writes, named.yours, named.left]).toEqual([['.env'], ['.env'], []]);
  const folder = value(await at.workspace.planRestore(saved.id, { paths: ['ign'] }));
  expect([folder.writes, folder.deletes, folder.left]).toEqual([['ign/tracked'], ['ign/mine'], []]);
});

test('[CHK5c] a rescue checkpoint brings back an ignored file that the restore took', async () => {
  const at = await stage({ kind: 'plain', files: { '.gitignore': IGNORE, '.env': 'KEY=1\n' } });
  const saved = await save(at);
  await at.agent('s').shell('echo KEY=agent > .env; mkdir ign; echo a > ign/a');
  const { rescue, left } = value(await at.workspace.restore(saved.id));
  expect([at.read('.env'), at.read('ign/a'), left]).toEqual(['KEY=1\n', null, []]);
  value(await at.workspace.restore(rescue ?? ''));
  expect([at.read('.env'), at.read('ign/a')]).toEqual(['KEY=agent\n', 'a\n']);
});

const IGNORED = ['ign/a', 'ign/deep/b', 'src/x.log', '.env'];
const NAMES = [...IGNORED, 'ign/tracked', 'a.txt', 'd/b', 'new/c'];
const SCOPES = ['.', 'ign', 'ign/a', '.env', 'src', 'd'];

type Tree = ReadonlyMap<string, string>;
type Moment = { readonly tree: Tree; readonly time: number };

/** What happened to each path, by the test's own account; the engine never sees it. */
class Account {
  readonly #touched: { readonly path: string; readonly by: 'agent' | 'person'; readonly time: number }[] = [];
  #time = 0;

  moment(tree: Tree): Moment {
    return { tree, time: ++this.#time };
  }

  note(by: 'agent' | 'person', before: Tree, after: Tree): void {
    const time = ++this.#time;
    for (const path of new Set([...before.keys(), ...after.keys()]))
      if (before.get(path) !== after.get(path)) this.#touched.push({ path, by, time });
  }

  /** What must be on disk after an exact restore. */
  expected(then: Moment, now: Tree, scope: string | null): Tree {
    const tree = new Map(now);
    for (const path of new Set([...then.tree.keys(), ...now.keys()])) {
      if (!isWithin(path, scope) || this.#staysMine(path, then, now, scope)) continue;
      const bytes = then.tree.get(path);
      if (bytes === undefined) tree.delete(path);
      else tree.set(path, bytes);
    }
    return tree;
  }

  #staysMine(path: string, then: Moment, now: Tree, scope: string | null): boolean {
    if (!IGNORED.includes(path) || !now.has(path)) return false;
    if (scope === path || scope === 'ign') return false;
    const since = this.#touched.filter((touch) => touch.path === path && touch.time > then.time);
    return since.some(({ by }) => by === 'person') && since.every(({ by }) => by === 'person');
  }
}

test.each(SEEDS)('[CHK5c] random hands on ignored and other files: exact restores, undone (seed %i)', async (seed) => {
  const chance = new Chance(seed);
  const at = await stage({ files: { '.gitignore': IGNORE, 'a.txt': '1\n', 'd/b': '1\n' } });
  at.write('ign/tracked', '1\n');
  at.git('add', '-f', 'ign/tracked');
  await at.workspace.look();
  const account = new Account();
  const moments = new Map<string, Moment>();
  const agent = at.agent('s');
  const story: string[] = [];
  const keep = async () => moments.set((await save(at)).id, account.moment(photograph(at.root)));
  await keep();
  for (let step = 0; step < STEPS; step++) {
    const act = chance.pick(['person', 'person', 'agent', 'agent', 'save', 'restore', 'paths', 'reopen']);
    const name = chance.pick(NAMES);
    const before = photograph(at.root);
    story.push(`${act} ${name}`);
    switch (act) {
      case 'person':
        scribble(at, name, chance);
        await at.workspace.look();
        account.note('person', before, photograph(at.root));
        break;
      case 'agent':
        await agent.call('Bash', { command: 'make' }, () => scribble(at, name, chance));
        account.note('agent', before, photograph(at.root));
        break;
      case 'save':
        await keep();
        break;
      case 'reopen':
        await at.reopen();
        break;
      default:
        await restoreOne(act === 'paths' ? chance.pick(SCOPES) : null, before);
    }
  }

  async function restoreOne(scope: string | null, before: Tree): Promise<void> {
    const id = chance.pick([...moments.keys()]);
    const expected = account.expected(moments.get(id)!, before, scope);
    const request = scope === null ? {} : { paths: [scope] };
    const { rescue } = value(await at.workspace.restore(id, request));
    expect(sorted(photograph(at.root)), `${id} ${scope} after ${story.join(', ')}`).toEqual(sorted(expected));
    if (rescue === null) return;
    if (chance.next() < 0.5) {
      value(await at.workspace.undo());
      expect(sorted(photograph(at.root)), `undone, after ${story.join(', ')}`).toEqual(sorted(before));
    } else moments.set(rescue, account.moment(before));
  }
});

function isWithin(path: string, scope: string | null): boolean {
  return scope === null || scope === '.' || path === scope || path.startsWith(`${scope}/`);
}

function scribble(at: Stage, name: string, chance: Chance): void {
  if (chance.next() < 0.25) {
    if (existsSync(at.path(name))) at.remove(name);
  } else at.write(name, `${chance.next()}\n`);
}

const sorted = (tree: Tree) => [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
