import { join } from 'node:path';
import { openObjects } from '../git/objects.js';
import { tempFolder, testGit } from '../git/repository.fixture.js';
import { contentContract } from './content.fixture.js';
import { gitContent } from './git-content.js';
import { memoryContent } from './memory-content.fixture.js';

const folder = tempFolder();
let count = 0;

contentContract('memory content', async () => memoryContent());
contentContract('git content', async () =>
  gitContent(await openObjects(join(folder, `c${count++}.git`), { git: testGit, durability: 'full' })),
);
