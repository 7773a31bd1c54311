import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { AgentName } from '../../apps/pal/src/agents/agent-name.js';

type Source = {
  /** What is installed; the program is in the first. */
  readonly specs: readonly string[];
  readonly program: string;
};

/**
 * The real programs, from npm, kept out of the main install and for as long as the machine keeps its temporary files.
 * Only the package with the program for this platform is taken, and what it cannot do without: the package that people
 * install wraps it, and brings hundreds of others.
 */
function sourceOf(agent: AgentName, platform: string): Source {
  switch (agent) {
    case 'claude': {
      const name = `@anthropic-ai/claude-code-${platform}`;
      return { specs: [`${name}@2.1.325`], program: `${name}/claude` };
    }
    case 'codex': {
      const target = `${platform === 'linux-arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl`;
      return { specs: [`@openai/codex@0.166.0-${platform}`], program: `@openai/codex/vendor/${target}/bin/codex` };
    }
    case 'gemini':
      return { specs: ['@google/gemini-cli@0.61.0'], program: '@google/gemini-cli/bundle/gemini.js' };
    case 'opencode':
      return {
        specs: [`opencode-${platform}@1.18.33`, `@opencode-ai/plugin@${OPENCODE_PLUGIN}`],
        program: `opencode-${platform}/bin/opencode`,
      };
    case 'cline': {
      const name = `@cline/cli-${platform}`;
      // Plugins run in a process of their own, which loads these.
      return { specs: [`${name}@3.0.65`, '@cline/shared@0.0.86', 'jiti@2.7.0'], program: `${name}/bin/cline` };
    }
  }
}

/** What opencode installs beside a plugin on its first run, if it does not find it. */
export const OPENCODE_PLUGIN = '1.18.33';

const INSTALL_TIMEOUT_MS = 180_000;

export type Program = { readonly file: string } | { readonly missing: string };

/** Installs the program if it is not there yet. What keeps it from being there is said, and the tests are skipped. */
export async function programOf(agent: AgentName): Promise<Program> {
  if (process.platform !== 'linux') return { missing: `the real ${agent} is driven on Linux only` };
  const { specs, program } = sourceOf(agent, `linux-${process.arch}`);
  const folder = join(tmpdir(), 'palimpsest-agents', specs.join('+').replace(/[^\w.+-]+/g, '-'));
  const file = join(folder, 'node_modules', program);
  if (!existsSync(file)) {
    const why = await install(specs, folder);
    if (why !== null) return { missing: why };
  }
  return existsSync(file) ? { file } : { missing: `${specs[0]} has no ${program}` };
}

async function install(specs: readonly string[], folder: string): Promise<string | null> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  writeFileSync(join(draft, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', ['install', ...options, ...specs], { cwd: draft, timeout: INSTALL_TIMEOUT_MS });
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    return null;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    const why = error instanceof Error ? error.message : String(error);
    return `${specs[0]} could not be installed: ${why.trim().split('\n').at(-1)}`;
  }
}
