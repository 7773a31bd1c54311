import { join } from 'node:path';
import { newFolder } from '../../../../test/folder.fixture.js';
import { logContract } from './log-contract.fixture.js';
import { memoryLog } from './memory-log.fixture.js';
import { openLog } from './open-log.js';

const folder = newFolder();
let count = 0;

logContract('memory', memoryLog);

logContract('sqlite', () => {
  count += 1;
  const opened = openLog({ file: join(folder, `${count}.db`) });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
});
