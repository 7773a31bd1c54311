import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { photograph, save, value } from '../checkpoint/checkpoint.fixture.js';
import { stage } from '../stories/stage.fixture.js';

const MANY = 50;
/** Files side by side and below each other, in folders that were not there. */
const MAKE = `mkdir -p f/g/h f/i; for n in $(seq ${MANY}); do echo $n > f/a$n; echo $n > f/g/h/b$n; done; echo 1 > f/i/c`;

test('[REV3c] [REV9a] a new folder with many files is rejected, brought back and rejected again, whole', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1\n' } });
  const before = photograph(at.root);
  await at.agent('s').shell(MAKE);
  const made = photograph(at.root);
  expect(made.size).toBe(2 * MANY + 2);
  value(await at.workspace.reject({ all: true }));
  expect([photograph(at.root), existsSync(at.path('f'))]).toEqual([before, false]);
  value(await at.workspace.undo());
  expect(photograph(at.root)).toEqual(made);
  value(await at.workspace.redo());
  expect([photograph(at.root), existsSync(at.path('f'))]).toEqual([before, false]);
});

test('[CHK3i] a new folder with many files is restored away, and undoing that brings it back', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1\n', 'old/x': '1\n', 'old/y': '2\n' } });
  const saved = await save(at);
  const before = photograph(at.root);
  await at.agent('s').shell(`${MAKE}; rm -r old`);
  const made = photograph(at.root);
  value(await at.workspace.restore(saved.id));
  expect([photograph(at.root), existsSync(at.path('f'))]).toEqual([before, false]);
  value(await at.workspace.undo());
  // The restore had to make this folder, and takes it along.
  expect([photograph(at.root), existsSync(at.path('old'))]).toEqual([made, false]);
  value(await at.workspace.redo());
  expect([photograph(at.root), existsSync(at.path('f'))]).toEqual([before, false]);
});

test('[REV3c] a folder that was there before stays, though it is left empty', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1\n' } });
  mkdirSync(at.path('there'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await at
    .agent('s')
    .shell('echo 1 > there/x; echo 2 > there/y; mkdir there/new; echo 3 > there/new/z; mv a.txt there/b');
  value(await at.workspace.reject({ all: true }));
  expect(readdirSync(at.root).sort()).toEqual(['a.txt', 'there']);
  expect(readdirSync(at.path('there'))).toEqual([]);
  value(await at.workspace.undo());
  value(await at.workspace.redo());
  expect([existsSync(at.path('there')), readdirSync(at.path('there'))]).toEqual([true, []]);
});
