import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closedAfter, openDatabase } from '../log/sqlite.js';
import { stage } from './stage.fixture.js';

test('[COR9] the status says which operations of a newer version are passed over, also when views are stored', async () => {
  const at = await stage({ files: { 'a.txt': 'one\n' } });
  expect((await at.workspace.status()).remarks).toEqual([]);
  await at.close();
  closedAfter(openDatabase(join(at.data, 'log.sqlite'), {}), (database) => {
    const insert = database.prepare(
      "INSERT INTO operation (seq, at, kind, body) SELECT max(seq) + 1, 0, ?, json_object('kind', ?) FROM operation",
    );
    for (const kind of ['dreamt', 'dreamt', 'sung']) insert.run(kind, kind);
  });
  const told = 'the log holds operations that this version does not understand and passes over: 2 × dreamt, 1 × sung';
  for (const _ of ['folded from the log', 'taken from the stored views']) {
    await at.open();
    expect((await at.workspace.status()).remarks).toEqual([told]);
    await at.close();
  }
});
