import { expect, test } from 'vitest';
import { given, lines, type ReviewStage, reviewing } from './review.fixture.js';

/** `text:who` for each line; who is the session and tool of an agent. */
async function blamed(on: ReviewStage, path: string): Promise<string> {
  const found = given(await on.workspace.blame(path));
  return found
    .map(({ text, author }) => `${text}:${author.kind === 'agent' ? `${author.session}/${author.tool}` : author.kind}`)
    .join(' ');
}

test('[REV11a] each line has its author, through edits, renames, verdicts and undo', async () => {
  const on = await reviewing({ a: lines('abc') });
  const first = await on.writes('S', 'a', lines('aBSc'));
  await on.human('a', lines('aBSch'));
  await on.shell('T', 'mv a b');
  await on.shell('T', 'echo t >> b');
  expect(await blamed(on, 'b')).toBe('a:unknown B:S/Write S:S/Write c:unknown h:human t:T/Bash');
  await on.rejects({ changes: [first] });
  expect(await blamed(on, 'b')).toBe('a:unknown b:unknown c:unknown h:human t:T/Bash');
  await on.undoes();
  expect(await blamed(on, 'b')).toBe('a:unknown B:S/Write S:S/Write c:unknown h:human t:T/Bash');
});

test('[REV11a] a line says which call wrote it, and what had been asked', async () => {
  const on = await reviewing({ a: lines('abc') });
  given(await on.workspace.note({ kind: 'prompt', session: 'S', text: 'make it loud', turn: 't1' }));
  const id = await on.writes('S', 'a', lines('aBc'));
  given(await on.workspace.note({ kind: 'prompt', session: 'S', text: 'and now?', turn: 't2' }));
  const [line] = given(await on.workspace.blame('a')).slice(1);
  expect(line).toMatchObject({ line: 2, text: 'B', change: id, author: { kind: 'agent', prompt: 'make it loud' } });
  expect(line?.at).toBeGreaterThan(0);
});

test('[REV11b] a file that is not there, or has no lines, is refused', async () => {
  const on = await reviewing({});
  await on.human('b.bin', Uint8Array.of(0, 1));
  expect(await on.workspace.blame('nothing')).toMatchObject({ ok: false, error: { code: 'no-such-file' } });
  expect(await on.workspace.blame('b.bin')).toMatchObject({ ok: false, error: { code: 'bad-input' } });
});

test('[REV11a] a file that a running command has just moved still has its authors', async () => {
  const on = await reviewing({ a: lines('abc') });
  await on.writes('S', 'a', lines('aBSc'));
  given(await on.workspace.begin({ session: 'T', callId: 'moving', tool: 'Bash', input: { command: 'mv a b' } }));
  on.on.move('a', 'b');
  await on.workspace.look();
  expect(await blamed(on, 'b')).toBe('a:unknown B:S/Write S:S/Write c:unknown');
});

test('[REV11c] what was there before anything was recorded stays nobody’s, whoever brings it back', async () => {
  const on = await reviewing({ a: lines('abc') });
  await on.shell('S', 'echo s >> a');
  const { id } = given(await on.workspace.saveCheckpoint({}));
  await on.shell('T', 'sed -i "s/$/ t/" a');
  given(await on.workspace.restore(id));
  await on.undoes();
  await on.shell('T', `printf '${lines('abcs').replaceAll('\n', '\\n')}' > a`);
  expect(await blamed(on, 'a')).toBe('a:unknown b:unknown c:unknown s:S/Bash');
});

test('[REV11c] a line that comes back with the text that settles a conflict is its first writer’s', async () => {
  const at = await reviewing({ f: lines('abcd') });
  await at.writes('S', 'f', lines('aXcd'));
  await at.human('f', lines('acd'));
  const id = await at.writes('T', 'f', lines('acY'));
  await at.human('f', lines('ach'));
  expect((await at.rejects({ changes: [id] })).conflicts).toEqual([id]);
  given(await at.workspace.resolve(id, { bytes: new TextEncoder().encode(lines('aXchi')) }));
  expect(await blamed(at, 'f')).toBe('a:unknown X:S/Write c:unknown h:human i:human');
});
