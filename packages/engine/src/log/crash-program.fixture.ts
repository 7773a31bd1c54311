import { writeSync } from 'node:fs';
import { changedByHuman, fileChange, fileState } from './log.fixture.js';
import { openLog } from './open-log.js';

/** Appends for ever and prints each seq once it is acknowledged; between appends it replaces the table of files. */
const file = process.argv[2];
if (file === undefined) throw new Error('usage: crash-program <database>');
const opened = openLog({ file });
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
const log = opened.value;

const FILES = 40;
const ROWS = 3000;
let rounds = 0;
const replace = (): void => {
  rounds += 1;
  const others = [...log.files.all()].filter((state) => !state.path.startsWith('table/'));
  const table = Array.from({ length: ROWS }, (_, index) => fileState(`table/${index}`, rounds));
  log.files.replace([...others, ...table]).then(replace, fail);
};
const append = (): void => {
  const next = log.last + 1;
  const path = `f${next % FILES}`;
  log.append({ bodies: [changedByHuman(fileChange(path))], at: next, files: [fileState(path, next)] });
  writeSync(1, `${next}\n`);
  setImmediate(append);
};
const fail = (error: unknown): void => {
  throw error;
};

if (process.argv[3] === 'replacing') replace();
append();
