import { writeSync } from 'node:fs';
import { lockWorkspace } from './lock.js';

/** Tries the lock once when its input says so, prints what came of it, and keeps what it got until its input ends. */
const dir = process.argv[2];
if (dir === undefined) throw new Error('usage: lock-program <folder>');
const tried = await lockWorkspace(dir);
writeSync(1, `${tried.ok ? 'got' : tried.error.code === 'held' ? `held by ${tried.error.pid}` : tried.error.reason}\n`);
if (tried.ok) {
  process.stdin.resume();
  process.stdin.once('end', () => process.exit(0));
}
