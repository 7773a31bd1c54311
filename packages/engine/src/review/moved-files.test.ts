import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { given, lines, type ReviewStage, reviewing } from './review.fixture.js';

const files = (at: ReviewStage) => readdirSync(at.on.root).sort().join(' ');

async function checkpoint(at: ReviewStage): Promise<string> {
  return given(await at.workspace.saveCheckpoint({ message: 'here' })).id;
}

test('[CHK3g] keeping mine: a file that an agent edited and renamed, with my edit of the same line, is still there', async () => {
  const at = await reviewing({ 'a.txt': lines('12345') });
  const saved = await checkpoint(at);
  await at.writes('S', 'a.txt', lines('12x45'));
  await at.human('a.txt', lines('12h45'));
  await at.shell('S', 'mv a.txt b.txt');
  const done = given(await at.workspace.restore(saved, { keepMine: true }));
  expect(done.conflicts).toEqual([{ path: 'b.txt', reason: 'overlap' }]);
  expect([files(at), at.text('b.txt')]).toEqual(['b.txt', lines('12h45')]);
});

test('[CHK3g] keeping mine: the name goes back together with the text, around my edit of another line', async () => {
  const at = await reviewing({ 'a.txt': lines('1234567') });
  const saved = await checkpoint(at);
  await at.writes('S', 'a.txt', lines('12x4567'));
  await at.human('a.txt', lines('12x456h'));
  await at.shell('S', 'mv a.txt b.txt; sed -i s/1/y/ b.txt');
  const done = given(await at.workspace.restore(saved, { keepMine: true }));
  expect(done.conflicts).toEqual([]);
  expect([files(at), at.text('a.txt')]).toEqual(['a.txt', lines('123456h')]);
});

test('[CHK3g] keeping mine: a file that an agent made, I edited and the agent renamed stays', async () => {
  const at = await reviewing({});
  const saved = await checkpoint(at);
  await at.writes('S', 'new.txt', lines('123'));
  await at.human('new.txt', lines('123h'));
  await at.shell('S', 'mv new.txt other.txt');
  const done = given(await at.workspace.restore(saved, { keepMine: true }));
  expect(done.conflicts.map(({ path }) => path)).toEqual(['other.txt']);
  expect([files(at), at.text('other.txt')]).toEqual(['other.txt', lines('123h')]);
});

test('[CHK3g] keeping mine: files that an agent let change places go back, with what I wrote into them since', async () => {
  const at = await reviewing({ a: lines('abcdefg'), b: lines('tuvwxyz') });
  const saved = await checkpoint(at);
  await at.shell('S', 'mv a t; mv b a; mv t b');
  await at.human('b', lines('abchdefg'));
  const done = given(await at.workspace.restore(saved, { keepMine: true }));
  expect(done.conflicts).toEqual([]);
  expect([at.text('a'), at.text('b')]).toEqual([lines('abchdefg'), lines('tuvwxyz')]);
  await at.undoes();
  expect([at.text('a'), at.text('b')]).toEqual([lines('tuvwxyz'), lines('abchdefg')]);
});

test('[REV3e] rejecting a swap gives both files their names back, around what people wrote into them since', async () => {
  const at = await reviewing({ a: lines('abcdefg'), b: lines('tuvwxyz') });
  const id = await at.shell('S', 'mv a t; mv b a; mv t b');
  await at.human('b', lines('abchdefg'));
  const done = await at.rejects({ changes: [id] });
  expect(done.rejected).toHaveLength(2);
  expect([at.text('a'), at.text('b')]).toEqual([lines('abchdefg'), lines('tuvwxyz')]);
  await at.undoes();
  expect([at.text('a'), at.text('b')]).toEqual([lines('tuvwxyz'), lines('abchdefg')]);
  await at.redoes();
  expect([at.text('a'), at.text('b')]).toEqual([lines('abchdefg'), lines('tuvwxyz')]);
});

test('[REV3l] two files that got each other’s text back by a reject did not change places by it', async () => {
  const [one, other] = [lines('abcd'), lines('wxyz')];
  const at = await reviewing({ a: one, b: other });
  const exchange = () => at.shell('S', 'printf "a\\nb\\nc\\nd\\n" > a; printf "w\\nx\\ny\\nz\\n" > b');
  at.on.write('a', other);
  await at.human('b', one);
  const edited = await at.writes('S', 'b', lines('bPQd'));
  await at.rejects({ changes: [edited, await exchange()] });
  expect([at.text('a'), at.text('b')]).toEqual([other, one]);
  await exchange();
  await at.rejects({ path: 'b' });
  expect([at.text('a'), at.text('b')]).toEqual([other, one]);
  await at.writes('S', 'b', lines('abd'));
  await at.rejects({ all: true });
  expect([at.text('a'), at.text('b')]).toEqual([other, one]);
});

test('[REV3b] a file that gets its name back from one with the bytes that were to come there is followed all the same', async () => {
  const at = await reviewing({ a: lines('abcdefg'), b: lines('yz') });
  await at.shell('S', 'mv a t; mv b a; mv t b');
  await at.human('b', lines('abhdefg'));
  await at.shell('S', 'printf "a\\nb\\nc\\nd\\ne\\nf\\ng\\n" > a; printf "y\\nz\\n" > b');
  await at.rejects({ all: true });
  expect([at.text('a'), at.text('b')]).toEqual([lines('abhdefg'), lines('yz')]);
  await at.writes('S', 'a', lines('bhdefgX'));
  const blamed = given(await at.workspace.blame('a'));
  expect(blamed.find(({ text }) => text === 'h')?.author.kind).toBe('human');
  await at.rejects({ all: true });
  expect([at.text('a'), at.text('b')]).toEqual([lines('abhdefg'), lines('yz')]);
});

test('[REV3k] a file that was moved over another is decided together with that other', async () => {
  const at = await reviewing({ a: lines('abcdefg'), b: lines('tuvwxyz') });
  const id = await at.shell('S', 'mv a b');
  const done = await at.rejects({ changes: [id] });
  expect(done.rejected).toHaveLength(2);
  expect([at.text('a'), at.text('b')]).toEqual([lines('abcdefg'), lines('tuvwxyz')]);
});

test('[REV3l] a conflict is not settled with their side while the lines of it stand in a file that it was moved over', async () => {
  const at = await reviewing({ b: lines('tuvwxyz') });
  const made = await at.writes('S', 'a', lines('abcdefg'));
  await at.writes('T', 'a', lines('abcdefY'));
  await at.shell('S', 'mv a b');
  await at.human('b', lines('abcdefYh'));
  expect((await at.rejects({ changes: [made] })).conflicts).toContain(made);
  const error = { code: 'conflict', why: 'what it wrote stands in b' };
  expect(await at.workspace.resolve(made, { take: 'theirs' })).toMatchObject({ ok: false, error });
  expect([at.text('a'), at.text('b')]).toEqual([null, lines('abcdefYh')]);
});

test('[REV3k] with my lines in one half of such a move, neither half is taken back', async () => {
  const at = await reviewing({ a: lines('abcdefg'), b: lines('tuvwxyz') });
  await at.shell('S', 'mv a b');
  await at.human('b', lines('abchdefg'));
  const done = await at.rejects({ all: true });
  expect(done.rejected).toEqual([]);
  expect(done.conflicts).toHaveLength(2);
  expect([at.text('a'), at.text('b')]).toEqual([null, lines('abchdefg')]);
});

test('[REV3k] a move in a chain is not cut: what would be on no path is in conflict', async () => {
  const at = await reviewing({ a: lines('abcdefg'), b: lines('tuvwxyz') });
  await at.shell('S', 'mv b c; mv a b');
  await at.human('b', lines('abchdefg'));
  await at.rejects({ all: true });
  const all = ['a', 'b', 'c'].map((path) => at.text(path) ?? '').join('');
  for (const line of 'abcdefghtuvwxyz') expect(all).toContain(`${line}\n`);
});

test("[REV3a] a line that I cut out and put elsewhere is still the agent's: rejecting it is a conflict, not done", async () => {
  const at = await reviewing({ a: lines('1234567') });
  const id = await at.writes('S', 'a', lines('12x34567'));
  await at.human('a', lines('1234567'));
  await at.human('a', lines('123456x7'));
  const done = await at.rejects({ changes: [id] });
  expect([done.rejected, done.conflicts]).toEqual([[], [id]]);
  expect(at.text('a')).toBe(lines('123456x7'));
});

test("[REV3a] what I wrote instead of an agent's text that I removed is in nobody's way", async () => {
  const at = await reviewing({ a: '1\n' });
  const id = await at.writes('S', 'a', '1\nf() {\n  its();\n}\n');
  await at.human('a', '1\n');
  await at.human('a', '1\ng() {\n  mine();\n}\n');
  expect((await at.rejects({ changes: [id] })).rejected).toEqual([id]);
  expect(at.text('a')).toBe('1\ng() {\n  mine();\n}\n');
});

test('[REV3e] a file that was renamed and then removed comes back by its first name, as the file that it was', async () => {
  const at = await reviewing({ a: lines('1234567') });
  await at.writes('S', 'a', lines('12x34567'));
  await at.shell('T', 'mv a b');
  await at.shell('T', 'rm b');
  await at.rejects({ session: 'T' });
  expect(at.text('a')).toBe(lines('12x34567'));
  await at.rejects({ all: true });
  expect([files(at), at.text('a')]).toEqual(['a', lines('1234567')]);
});

test('[REV3b] a new file that says what another said, which still says it, is a copy and goes', async () => {
  const at = await reviewing({ f: '1\n' });
  await at.shell('S', 'echo x >> f; echo 1 > copy');
  const done = await at.rejects({ all: true });
  expect([done.conflicts, files(at), at.text('f')]).toEqual([[], 'f', '1\n']);
});

test('[REV3e] a file that a restore brought back under the name that was rejected keeps that name', async () => {
  const at = await reviewing({});
  const made = await at.writes('S', 'a.txt', lines('123'));
  await at.shell('S', 'mv a.txt b.txt; echo 4 >> b.txt');
  const saved = await checkpoint(at);
  await at.rejects({ changes: [made] });
  expect(files(at)).toBe('');
  given(await at.workspace.restore(saved, {}));
  const appended = await at.shell('S', 'echo 5 >> b.txt');
  await at.rejects({ changes: [appended] });
  expect([files(at), at.text('b.txt')]).toEqual(['b.txt', lines('1234')]);
});
