import { openObjects } from '../git/objects.js';
import { sealGit } from '../git/run.js';
import { gitContent } from './git-content.js';

/*
 * A process of its own that writes until it is killed. It says each id only after `put` or `putMany` resolved, so
 * whatever was said must be there afterwards. Arguments: git dir, how many, and a word that the contents start with.
 */
const [gitDir = '', many = '0', word = ''] = process.argv.slice(2);
const store = gitContent(await openObjects(gitDir, { git: sealGit(process.env), durability: 'full' }));
const content = (n: number) => Buffer.from(`${word} ${n}\n`.repeat((n % 400) + 1));
for (let n = 0; n < Number(many); n++) {
  const lot = n % 20 === 19 ? Array.from({ length: 40 }, (_, m) => content(n * 1000 + m)) : [content(n)];
  const ids = lot.length === 1 ? [await store.put(lot[0] ?? Buffer.alloc(0))] : await store.putMany(lot);
  process.stdout.write(ids.map((id) => `${id}\n`).join(''));
}
await store.close();
