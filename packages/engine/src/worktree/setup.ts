import { spawn } from 'node:child_process';
import { failed, type Outcome, ok } from '@palimpsest/core';

type SetupFailure = { readonly code: 'setup-failed'; readonly exitCode: number | null; readonly output: string };

const OUTPUT_LIMIT_CHARS = 8_000;
const LAST_WORDS_MS = 1_000;

/** Runs the workspace's own setup command, which is a setting of the user's and not of the repository's. */
export function runSetup(
  command: string,
  where: {
    readonly cwd: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly limitMs: number;
  },
): Promise<Outcome<string, SetupFailure>> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      cwd: where.cwd,
      env: { ...where.environment, PWD: where.cwd } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own group, so that what it started ends with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    let output = '';
    const hear = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-OUTPUT_LIMIT_CHARS);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const timer = setTimeout(() => endGroup(child.pid), where.limitMs);
    const end = (outcome: Outcome<string, SetupFailure>) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    child.once('error', (error) => end(failed({ code: 'setup-failed', exitCode: null, output: error.message })));
    child.once('exit', (exitCode) => {
      const told = () => end(exitCode === 0 ? ok(output) : failed({ code: 'setup-failed', exitCode, output }));
      child.once('close', told);
      // Something that it left running may hold the pipes open.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, LAST_WORDS_MS).unref();
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    return; // It has just ended.
  }
}
