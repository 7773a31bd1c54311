// Other hands in the workspace while we write into it, in a process of their own. They go on until their standard input
// ends or their time is up, and say on standard output what they did.
//
//   save FOLDER COUNT ROUND   saves files f0 … f(COUNT-1), each at most once, with a word that occurs nowhere else; every
//                             other one through a new file that takes the name, as most editors do
//   swap FOLDER OUTSIDE       exchanges a folder for a link to another one, and back, again and again
import fs from 'node:fs';
import { join } from 'node:path';

const [what, folder, ...rest] = process.argv.slice(2);
const END = Date.now() + 20_000;
let over = false;
process.stdin.on('end', () => {
  over = true;
});
process.stdin.resume();
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
if (what === 'save') await save(Number(rest[0]), rest[1]);
else await swap(rest[0]);
process.stdin.destroy();

async function save(count, round) {
  const order = Array.from({ length: count }, (_, n) => n).sort(() => Math.random() - 0.5);
  for (const n of order) {
    if (over || Date.now() > END) return;
    const place = join(folder, `f${n}`);
    const word = `saved-${round}-${n}-`;
    try {
      if (n % 2 === 0) fs.writeFileSync(place, `${word}\n`);
      else {
        fs.writeFileSync(`${place}.swp~`, `${word}\n`);
        fs.renameSync(`${place}.swp~`, place);
      }
      process.stdout.write(`${word}\n`);
    } catch (error) {
      // The folder is gone for the moment.
      if (error.code !== 'ENOENT') throw error;
    }
    if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

async function swap(outside) {
  const aside = `${folder}.aside`;
  while (!over && Date.now() < END) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
    try {
      fs.renameSync(folder, aside);
      fs.symlinkSync(outside, folder);
      process.stdout.write('swapped\n');
      await new Promise((resolve) => setTimeout(resolve, 5));
      fs.unlinkSync(folder);
      fs.renameSync(aside, folder);
    } catch (error) {
      // Whoever removes a folder that became empty, or makes it again, may come in between.
      if (!['ENOENT', 'EEXIST', 'ENOTEMPTY', 'EISDIR', 'ENOTDIR'].includes(error.code)) throw error;
      if (!fs.existsSync(folder) && fs.existsSync(aside)) fs.renameSync(aside, folder);
    }
  }
}
