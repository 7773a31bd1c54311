import { type ChildProcess, spawn } from 'node:child_process';

/** How busy the machine is made beside the stories that ask for it: in the suite no more than its other half can bear. */
const HOGS = Number(process.env.PAL_TEST_HOGS ?? 1);
/** Should nobody be left to end them. */
const HOG_LIFE_MS = 10 * 60 * 1000;

/** Keeps the machine busy until the answer is called. */
export function busyMachine(): () => void {
  const hogs: ChildProcess[] = [];
  for (let count = 0; count < HOGS; count++) {
    const script = `const until = Date.now() + ${HOG_LIFE_MS}; while (Date.now() < until);`;
    hogs.push(spawn(process.execPath, ['-e', script], { stdio: 'ignore' }));
  }
  return () => {
    for (const hog of hogs) hog.kill('SIGKILL');
  };
}
