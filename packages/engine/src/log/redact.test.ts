import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asSessionId, type Operation } from '@palimpsest/core';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { openLog } from './open-log.js';
import { closedAfter, openDatabase } from './sqlite.js';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const SECRET = 'zebra-7f3a91c4';
const opened = () => {
  const log = openLog({ file: join(folder, 'log.sqlite') });
  if (!log.ok) throw new Error(log.error.code);
  return log.value;
};
const holders = () => readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(SECRET));
const prompt = (text: string) => ({ kind: 'prompted', session: asSessionId('S'), turn: 't', text }) as const;

test('[SEC6a] what was overwritten or removed leaves nothing behind, without anybody asking', () => {
  const log = opened();
  for (let n = 0; n < 50; n++) log.views.save('v', 1, 0, `${'x'.repeat(n * 500)}${SECRET}`);
  log.marks.set('writing', SECRET.repeat(2_000));
  expect(holders()).not.toEqual([]);
  log.marks.set('writing', '');
  log.views.save('v', 1, 0, 'nothing');
  log.close();
  expect(holders()).toEqual([]);
});

test('[SEC6a] a log that was begun before that loses what is in its free pages when something is forgotten', () => {
  const log = opened();
  const [first] = log.append({ bodies: [prompt(`say ${SECRET}`), prompt('say more')], at: 1 });
  log.close();
  closedAfter(openDatabase(join(folder, 'log.sqlite'), {}), (database) =>
    database.exec(`
      PRAGMA secure_delete = OFF;
      CREATE TABLE old (text TEXT);
      INSERT INTO old SELECT '${SECRET}' || hex(zeroblob(3000)) FROM operation, operation AS again;
      DROP TABLE old;
      PRAGMA wal_checkpoint(TRUNCATE);
    `),
  );
  const again = opened();
  again.redact([{ ...first, ...prompt('say [forgotten]') } as Operation]);
  // While it is open, too: the write-ahead file is looked at as well.
  expect(holders()).toEqual([]);
  expect(again.read(0, 10).map((operation) => operation.kind === 'prompted' && operation.text)).toEqual([
    'say [forgotten]',
    'say more',
  ]);
  again.close();
});
