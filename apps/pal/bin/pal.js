#!/usr/bin/env node
// Agents start `pal tool`, `pal hook` and `pal note` at every step, so these go to a bundle that loads Node's built-ins
// only. What it does not serve, it hands on to the whole program, with what it read of standard input.
const args = process.argv.slice(2);
const { served, stdin } = isQuick(args) ? await quick(args) : { served: false };
if (!served) await (await import('../dist/main.js')).start(args, stdin);

function isQuick(words) {
  for (let at = 0; at < words.length; at++) {
    if (words[at] === '-C') at++;
    else if (!words[at].startsWith('-')) return ['tool', 'hook', 'note'].includes(words[at]);
  }
  return false;
}

async function quick(words) {
  try {
    return await (await import('../dist/quick.bundle.js')).start(words);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return { served: false };
    throw error;
  }
}
