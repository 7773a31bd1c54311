import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { failed, type Outcome, ok } from '@palimpsest/core';

/** Why git gave no answer. None of these is a bug of the caller. */
export type GitError =
  | { readonly code: 'git-missing'; readonly detail: string }
  | { readonly code: 'git-exit'; readonly args: readonly string[]; readonly exitCode: number; readonly stderr: string }
  | {
      readonly code: 'git-killed';
      readonly args: readonly string[];
      readonly why: 'timeout' | 'output-limit' | 'cancelled' | 'signal';
      readonly stderr: string;
    };

export type GitRun = {
  readonly gitDir: string;
  /** Where it runs: the git dir unless said otherwise, so that nothing is looked up where our process happens to stand. */
  readonly cwd?: string;
  readonly args: readonly string[];
  readonly stdin?: Uint8Array;
  readonly timeoutMs?: number;
  readonly outputLimitBytes?: number;
  readonly signal?: AbortSignal;
  readonly priority?: 'normal' | 'background';
};

/** The only way to the git program. */
export interface Git {
  run(request: GitRun): Promise<Outcome<Buffer, GitError>>;
  /** Starts a child that stays; the caller owns its streams and its end. */
  start(gitDir: string, args: readonly string[], cwd?: string): ChildProcessWithoutNullStreams;
}

const GIT_TIMEOUT_MS = 120_000;
const GIT_OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;
const GIT_STDERR_LIMIT_BYTES = 64 * 1024;
/** Time between asking a child to end and ending it. */
const GIT_GRACE_MS = 2_000;

/** What git needs of the outside world to start at all. Everything else stays out, GIT_* above all. */
const INHERITED = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'SYSTEMROOT', 'PATHEXT'] as const;

/** Command-line configuration outranks every file, so a repository's own config cannot put these back. */
const SEALED_CONFIG = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.pager=cat',
  'core.sshCommand=false',
  'core.askPass=',
  'core.alternateRefsCommand=false',
  'credential.helper=',
  'gc.auto=0',
  'maintenance.auto=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'gpg.program=false',
  'diff.external=',
  'protocol.allow=never',
  'submodule.recurse=false',
] as const;

/**
 * The environment of every git child. HOME is left out on purpose: git would look there for attributes and ignore
 * rules even when its configuration file is switched off.
 */
export function sealedEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  gitDir: string,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = inherited[name];
    if (value !== undefined) environment[name] = value;
  }
  return {
    ...environment,
    GIT_DIR: gitDir,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    // No transport at all: `protocol.file.allow` in a repository outranks our `protocol.allow`, but not this, and a git
    // that does not know GIT_NO_LAZY_FETCH would start the upload-pack that the repository names.
    GIT_ALLOW_PROTOCOL: '',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'false',
    GIT_ASKPASS: 'false',
    LC_ALL: 'C',
  };
}

export function sealGit(
  inherited: Readonly<Record<string, string | undefined>>,
  { executable = 'git' }: { readonly executable?: string } = {},
): Git {
  const start = (gitDir: string, args: readonly string[], cwd: string = gitDir) =>
    spawn(executable, [...SEALED_CONFIG.flatMap((setting) => ['-c', setting]), '--no-pager', ...args], {
      cwd,
      env: sealedEnvironment(inherited, gitDir),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
  return { start, run: (request) => run(start, request) };
}

/** Ends a child politely, then for good. */
export function endChild(child: ChildProcessWithoutNullStreams): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GIT_GRACE_MS);
  timer.unref();
  child.once('close', () => clearTimeout(timer));
}

/** For promises that have no room for a typed error: the environment failed, not the question. */
export class GitFailure extends Error {
  readonly error: GitError;
  constructor(error: GitError) {
    super(describe(error));
    this.name = 'GitFailure';
    this.error = error;
  }
}

type Killed = 'timeout' | 'output-limit' | 'cancelled';

function run(start: Git['start'], request: GitRun): Promise<Outcome<Buffer, GitError>> {
  const { args, signal } = request;
  if (signal?.aborted === true)
    return Promise.resolve(failed({ code: 'git-killed', args, why: 'cancelled', stderr: '' }));
  return new Promise((resolve) => {
    let killed: Killed | null = null;
    const child = start(request.gitDir, args, request.cwd);
    const kill = (why: Killed) => {
      killed ??= why;
      endChild(child);
    };
    const cancel = () => kill('cancelled');
    const timer = setTimeout(() => kill('timeout'), request.timeoutMs ?? GIT_TIMEOUT_MS);
    signal?.addEventListener('abort', cancel, { once: true });
    const stdout = collect(child.stdout, request.outputLimitBytes ?? GIT_OUTPUT_LIMIT_BYTES, () =>
      kill('output-limit'),
    );
    const stderr = collect(child.stderr, GIT_STDERR_LIMIT_BYTES, () => undefined);
    const settle = (outcome: Outcome<Buffer, GitError>) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    child.once('error', (error) => settle(failed({ code: 'git-missing', detail: error.message })));
    child.once('close', (exitCode) => {
      const said = Buffer.concat(stderr).toString('utf8');
      if (killed !== null || exitCode === null)
        settle(failed({ code: 'git-killed', args, why: killed ?? 'signal', stderr: said }));
      else if (exitCode !== 0) settle(failed({ code: 'git-exit', args, exitCode, stderr: said }));
      else settle(ok(Buffer.concat(stdout)));
    });
    if (request.priority === 'background') lowerPriority(child);
    // A child that ends before it read everything breaks the pipe; its exit code tells the story.
    child.stdin.on('error', () => undefined);
    child.stdin.end(request.stdin);
  });
}

function collect(stream: NodeJS.ReadableStream, limitBytes: number, over: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
    else over();
  });
  return chunks;
}

function lowerPriority(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Politeness only: the child may have ended already, or the platform may not allow it.
    return;
  }
}

function describe(error: GitError): string {
  switch (error.code) {
    case 'git-missing':
      return `git cannot be started: ${error.detail}`;
    case 'git-exit':
      return `git ${error.args[0] ?? ''} ended with ${error.exitCode}: ${error.stderr.trim()}`;
    case 'git-killed':
      return `git ${error.args[0] ?? ''} was ended (${error.why}): ${error.stderr.trim()}`;
  }
}
