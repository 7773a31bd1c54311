// Restores a checkpoint in a process of its own and ends it with SIGKILL at the n-th step that leaves a trace: a change to
// a file or folder of the workspace, a transaction of the log. What is stored meanwhile has tests of its own. Says how many
// steps there were when it gets to the end.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [root, data, checkpoint, target, options] = process.argv.slice(2);
let armed = false;
let steps = 0;

const CHANGING = [
  'openSync',
  'writeFileSync',
  'renameSync',
  'linkSync',
  'symlinkSync',
  'unlinkSync',
  'rmdirSync',
  'mkdirSync',
];

function step() {
  if (armed && ++steps === Number(target)) process.kill(process.pid, 'SIGKILL');
}

for (const name of CHANGING) {
  const original = fs[name];
  fs[name] = (...args) => {
    if (isTrace(name, args)) step();
    return original(...args);
  };
}

/**
 * Opening to read leaves none, and what is written through a handle was opened for it just before. What is in a folder of
 * the workspace is reached through the open folder, where the system has that.
 */
function isTrace(name, [place, flags]) {
  if (name === 'writeFileSync') return typeof place === 'number';
  const there = /^\/proc\/self\/fd\/\d+\//.test(String(place)) || String(place).startsWith(`${root}/`);
  return there && (name !== 'openSync' || (flags & fs.constants.O_CREAT) !== 0);
}
syncBuiltinESMExports();
const { LiveLog } = await import('../../dist/store/live-log.js');
const append = Reflect.get(LiveLog.prototype, 'append');
LiveLog.prototype.append = function (...args) {
  around(this.log, 'append');
  around(this.log.marks, 'set');
  LiveLog.prototype.append = append;
  return append.apply(this, args);
};

/** The log has no names in the file system that could be watched: before and after each of its transactions. */
function around(log, name) {
  const original = log[name].bind(log);
  log[name] = (...args) => {
    step();
    const result = original(...args);
    step();
    return result;
  };
}

const { openWorkspace } = await import('../../dist/index.js');
const opened = await openWorkspace(root, { data, environment: process.env });
if (!opened.ok) throw new Error(JSON.stringify(opened.error));
await opened.value.stockTaken();
await opened.value.checkpoints();
await opened.value.checkpointDiff('now', 'now');
armed = true;
const restored = await opened.value.restore(checkpoint, JSON.parse(options ?? '{}'));
armed = false;
if (!restored.ok) throw new Error(JSON.stringify(restored.error));
process.stdout.write(`${steps}\n`);
await opened.value.close();
