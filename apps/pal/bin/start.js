// Agents start `pal tool`, `pal hook` and `pal note` at every step, so these go to a bundle that loads Node's built-ins
// only. What it does not serve, it hands on to the whole program, with what it read of standard input. This file and the
// bundle are CommonJS, which Node has running some milliseconds earlier than modules.
const args = process.argv.slice(2);
start().catch((error) => {
  const unbuilt =
    error.code === 'ERR_MODULE_NOT_FOUND' && String(error.url ?? error.message).includes('bundle/main.js');
  if (process.env.PAL_DEBUG === '1') throw error;
  process.stderr.write(unbuilt ? 'pal: it has not been built yet\n  → npm run build\n' : `pal: ${error.message}\n`);
  process.exitCode = 1;
});

async function start() {
  const { served, stdin } = isQuick(args) ? await quick(args) : { served: false };
  if (!served) await (await import('../bundle/main.js')).start(args, stdin);
}

function isQuick(words) {
  for (let at = 0; at < words.length; at++) {
    if (words[at] === '-C') at++;
    else if (!words[at].startsWith('-')) return ['tool', 'hook', 'note'].includes(words[at]);
  }
  return false;
}

async function quick(words) {
  try {
    return await require('../bundle/quick.cjs').start(words);
  } catch (error) {
    // Not built, or called in a folder that is gone: the whole program says so.
    if (error.code === 'MODULE_NOT_FOUND' || error.syscall === 'uv_cwd') return { served: false };
    throw error;
  }
}
