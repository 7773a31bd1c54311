import { spawnSync } from 'node:child_process';

/**
 * Plain git, as a person runs it, that knows nothing of the user, the machine or the surrounding process: an identity of
 * its own, no hook samples to copy, and no maintenance left running behind a commit.
 */
export function gitEnvironment(): Readonly<Record<string, string>> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TEMPLATE_DIR: '',
    GIT_AUTHOR_NAME: 'test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
    ...configured({
      'init.defaultBranch': 'main',
      'maintenance.auto': 'false',
      'gc.auto': '0',
      'protocol.file.allow': 'always',
    }),
  };
}

export type GitRun = {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The exit codes that are answers; any other throws. */
  readonly answers?: readonly number[];
};

export function runGit(cwd: string, args: readonly string[], { input = '', environment, answers = [0] }: GitRun = {}) {
  const env = { ...gitEnvironment(), ...environment };
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (!answers.includes(status ?? -1)) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/**
 * Makes a repository of a folder, with one commit of all that is in it. One process does it all: to start one from a test
 * runner, which is large, costs more than what git does.
 */
export function commitAll(cwd: string, environment: Readonly<Record<string, string>> = gitEnvironment()): void {
  const script = 'git init -q && git add -A && git commit -q --allow-empty -m first';
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd, env: environment, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script}: ${stderr}`);
}

function configured(settings: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(settings);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(all.length)],
    ...all.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
