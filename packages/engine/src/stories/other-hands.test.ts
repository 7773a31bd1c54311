import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cases } from '../../../../test/search.fixture.js';
import { save, storeGit } from '../checkpoint/checkpoint.fixture.js';
import { type Stage, stage } from './stage.fixture.js';

const PROGRAM = fileURLToPath(new URL('./hand-process.mjs', import.meta.url));
const FILES = 200;
const ROUNDS = cases({ brief: 2, long: 3 });
const SWAPPED_ROUNDS = cases({ brief: 2, long: 6 });

type Hand = { begin(): void; end(): Promise<readonly string[]> };

/** Somebody else who works in the workspace from `begin` on; `end` gives the lines that were said. */
async function hand(...args: readonly string[]): Promise<Hand> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let said = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      resolve();
    });
  });
  return {
    begin: () => child.stdin.write('go\n'),
    end: async () => {
      child.stdin.end();
      await closed;
      return said.split('\n').slice(1, -1);
    },
  };
}

const write = (folder: string, text: string) =>
  `mkdir -p ${folder}; for n in $(seq 0 ${FILES - 1}); do echo "${text} $n" > ${folder}/f$n; done`;

/** All that can be read below a folder and from the store, in one text. */
function everything(at: Stage): string {
  const texts: string[] = [storeGit(at, 'cat-file', '--batch-all-objects', '--batch', '--unordered')];
  const visit = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) visit(join(folder, entry.name));
      else if (entry.isFile()) texts.push(readFileSync(join(folder, entry.name), 'utf8'));
    }
  };
  visit(at.root);
  return texts.join('\n');
}

/** What a person saved meanwhile, in words that occur nowhere else. */
async function savedDuring(at: Stage, folder: string, act: () => Promise<unknown>): Promise<readonly string[]> {
  const saver = await hand('save', at.path(folder), String(FILES), folder);
  saver.begin();
  await act();
  const saved = await saver.end();
  await at.workspace.look();
  return saved;
}

/** What is nowhere any more, and what we left behind. */
function amiss(at: Stage, folder: string, saved: readonly string[]): readonly string[] {
  const all = everything(at);
  const ours = readdirSync(at.path(folder)).filter((name) => name.startsWith('.tmp-pal'));
  return [...saved.filter((word) => !all.includes(word)), ...ours];
}

test('[CHK5f] whatever a person saves while created files are removed is on the disk or in the store', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1\n' } });
  for (let round = 0; round < ROUNDS; round++) {
    const folder = `removed${round}`;
    at.write(`${folder}/mine`, 'mine\n');
    await at.agent(folder).shell(write(folder, 'by agent'));
    const saved = await savedDuring(at, folder, () => at.workspace.reject({ session: folder }));
    expect(amiss(at, folder, saved)).toEqual([]);
  }
});

test('[CHK5f] whatever a person saves while files are written over is on the disk or in the store', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1\n' } });
  for (let round = 0; round < ROUNDS; round++) {
    const folder = `over${round}`;
    at.shell(write(folder, 'first'));
    await at.workspace.look();
    const checkpoint = await save(at);
    await at.agent(folder).shell(write(folder, 'by agent'));
    const saved = await savedDuring(at, folder, () =>
      round % 2 === 0
        ? at.workspace.reject({ session: folder })
        : at.workspace.restore(checkpoint.id, { paths: [folder] }),
    );
    expect(amiss(at, folder, saved)).toEqual([]);
    // A save that was taken for our own write would be gone with the next one, and in no store.
    await at.agent(`${folder} again`).shell(write(folder, 'last'));
    expect(amiss(at, folder, saved)).toEqual([]);
  }
});

test('[SEC4d] a folder that is exchanged for a link all the time leads no write and no removal out', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': '1\n' } });
  const outside = join(at.folder, 'outside');
  const names = Array.from({ length: FILES }, (_, n) => `f${n}`);
  mkdirSync(outside);
  for (const [n, name] of names.entries()) writeFileSync(join(outside, name), `by agent ${n}\n`);
  const shown = () =>
    readdirSync(outside).map((name) => {
      const place = join(outside, name);
      return `${name} ${lstatSync(place).ino} ${readFileSync(place, 'utf8')}`;
    });
  const before = shown();
  let swaps = 0;
  for (let round = 0; round < SWAPPED_ROUNDS; round++) {
    const folder = `swapped${round}`;
    // Every other time there are files to be written, and none to be removed.
    if (round % 2 === 1) at.shell(write(folder, 'first'));
    await at.workspace.look();
    await at.agent(folder).shell(write(folder, 'by agent'));
    const swapper = await hand('swap', at.path(folder), outside);
    swapper.begin();
    await at.workspace.reject({ session: folder });
    swaps += (await swapper.end()).length;
    expect(shown()).toEqual(before);
  }
  expect(swaps).toBeGreaterThan(0);
});
