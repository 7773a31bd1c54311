import { expect, test } from 'vitest';
import { stage } from './stage.fixture.js';

test('[CAP1a] an edit tool, a whole write and a shell command each give one change', async () => {
  const on = await stage({ files: { 'a.txt': 'one\ntwo\n' } });
  const agent = on.agent('S');
  await agent.readFile('a.txt');
  expect(await agent.edit('a.txt', 'two', 'TWO')).toEqual(['modify a.txt S/Edit exact']);
  expect(await agent.writeFile('b.txt', 'new\n')).toEqual(['create b.txt S/Write exact']);
  expect(await agent.shell('echo x >> a.txt; echo y > c.txt')).toEqual([
    'modify a.txt S/Bash window',
    'create c.txt S/Bash window',
  ]);
  expect(await on.records()).toHaveLength(4);
});

test('[CAP1a] any means will do: a generator, a formatter, git apply', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  expect(await agent.shell('for i in 1 2 3; do echo $i > "gen$i.txt"; done')).toEqual([
    'create gen1.txt S/Bash window',
    'create gen2.txt S/Bash window',
    'create gen3.txt S/Bash window',
  ]);
  expect(await agent.shell('printf -- "--- a/a.txt\\n+++ b/a.txt\\n@@ -1 +1 @@\\n-one\\n+uno\\n" | git apply')).toEqual(
    ['modify a.txt S/Bash window'],
  );
});

test('[CAP2a] create, modify, delete, rename and mode follow from before and after', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n', 'run.sh': '#!/bin/sh\n' } });
  const agent = on.agent('S');
  expect(await agent.shell('rm a.txt')).toEqual(['delete a.txt S/Bash window']);
  expect(await agent.shell('mv b.txt moved.txt')).toEqual(['rename b.txt>moved.txt S/Bash window']);
  expect(await agent.shell('chmod +x run.sh')).toEqual(['modify run.sh S/Bash window']);
  expect(await agent.shell('ln -s run.sh link')).toEqual(['create link S/Bash window']);
});

test('[CAP5] touch, writing the same, and change and change back record nothing', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  expect(await agent.shell('touch a.txt')).toEqual([]);
  expect(await agent.shell('echo one > a.txt')).toEqual([]);
  expect(await agent.shell('echo x > a.txt; sleep 0.05; echo one > a.txt')).toEqual([]);
  expect(await on.records()).toEqual([]);
});

test('[CAP4f] a human’s edits between and during calls are the human’s', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
  const agent = on.agent('S');
  on.write('a.txt', 'mine\n');
  expect(await on.records()).toEqual(['modify a.txt human inferred']);
  await agent.readFile('b.txt');
  const changes = await agent.call('Edit', { file_path: 'b.txt', old_string: 'two', new_string: 'TWO' }, () => {
    on.write('a.txt', 'mine again\n');
    on.write('b.txt', 'TWO\n');
  });
  expect(changes).toEqual(['modify b.txt S/Edit exact']);
  expect(await on.records()).toEqual([
    'modify a.txt human inferred',
    'modify b.txt S/Edit exact',
    'modify a.txt human inferred',
  ]);
});

test('[CAP4c] overlapping calls: what is proven is said, what is not is unknown with its candidates', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const [one, two] = [on.agent('S'), on.agent('T')];
  const first = await one.begin('Bash', { command: 'make all' });
  const second = await two.begin('Bash', { command: 'make test' });
  const third = await two.begin('Write', { file_path: 'w.txt', content: 'w\n' });
  on.write('w.txt', 'w\n');
  on.write('built.txt', 'x\n');
  await two.end(third.callId);
  await one.end(first.callId);
  on.write('late.txt', 'x\n');
  await two.end(second.callId);
  expect([...(await on.records())].sort()).toEqual([
    'create built.txt unknown(S,T) unknown',
    'create late.txt T/Bash window',
    'create w.txt T/Write exact',
  ]);
});
