import { filesOf } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { stage } from './stage.fixture.js';

test('[I1] whatever is asked at once is done one after the other: each change begins where the one before ended', async () => {
  const on = await stage({ files: { 'a.txt': 'start\n' } });
  const hands = Array.from({ length: 6 }, (_, index) => on.agent(`S${index}`));
  await Promise.all(
    hands.flatMap((agent) => [
      agent.shell(`echo ${agent.session} >> a.txt`),
      on.workspace.saveCheckpoint({ message: agent.session }),
      on.workspace.reject({ session: agent.session }),
      on.workspace.look(),
    ]),
  );
  await on.workspace.look();
  const operations = on.workspace.operations(0, 1_000);
  expect(operations.map(({ seq }) => seq)).toEqual(operations.map((_, index) => index + 1));
  const versions = operations.flatMap(filesOf).map(({ before, after }) => [before?.content, after?.content]);
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.slice(1).map(([before]) => before)).toEqual(versions.slice(0, -1).map(([, after]) => after));
});

test.each([
  ['other text', 'mine\n'],
  ['what was rejected', 'two\n'],
])(
  '[I3] what a rejection writes is not taken for a person’s, and %s that a person saves right after it is not taken for ours',
  async (_, text) => {
    const on = await stage({ files: { 'a.txt': 'one\n' } });
    const agent = on.agent('S');
    await agent.readFile('a.txt');
    await agent.edit('a.txt', 'one', 'two');
    expect((await on.workspace.reject({ all: true })).ok).toBe(true);
    on.write('a.txt', text);
    expect(await on.records()).toEqual(['modify a.txt S/Edit exact', 'modify a.txt human inferred']);
  },
);
