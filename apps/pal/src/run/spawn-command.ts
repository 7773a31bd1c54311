import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

export type CommandEnd = {
  /** What a shell would report: the command's own code, or 128 and the number of the signal that ended it. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
  /** Why the command could not be started at all. */
  readonly fault: string | null;
};

export type CommandStart = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where its standard output goes; ours is kept free when a JSON document is to follow. */
  readonly stdout: 'inherit' | 'stderr';
};

const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const SIGNALED = 128;
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;
/** A terminal sends these to the command itself; passing them on would deliver them twice. */
const FROM_TERMINAL = ['SIGINT', 'SIGQUIT'] as const;

/**
 * Runs a command as if it had been started without us: same environment, same terminal, same signals. The handlers stay
 * afterwards, so that an impatient second Ctrl-C does not keep us from writing down what the command did.
 */
export function runCommand({ command, args, cwd, environment, stdout }: CommandStart): Promise<CommandEnd> {
  return new Promise((resolve) => {
    // Before the command starts, since it may send us a signal at once. Handlers run only when this function is through.
    const forward = (signal: NodeJS.Signals) => void child.kill(signal);
    // Not `process.stdin.isTTY`: making that stream would turn the command's own standard input non-blocking.
    const onTerminal = isatty(0);
    for (const signal of FORWARDED) process.on(signal, forward);
    for (const signal of FROM_TERMINAL) process.on(signal, onTerminal ? () => undefined : forward);
    const stdio = ['inherit', stdout === 'inherit' ? 'inherit' : 2, 'inherit'] as const;
    const child = spawn(command, args, { cwd, env: environment as NodeJS.ProcessEnv, stdio: [...stdio] });
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return; // It runs; only a signal could not be delivered.
      resolve({
        exitCode: error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE,
        signal: null,
        fault: error.code ?? error.message,
      });
    });
    child.on('exit', (code, signal) => {
      resolve({ exitCode: code ?? SIGNALED + (signal === null ? 0 : constants.signals[signal]), signal, fault: null });
    });
  });
}
