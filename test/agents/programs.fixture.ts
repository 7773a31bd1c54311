import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentName } from '../../apps/pal/src/agents/agent-name.js';

/**
 * The real programs, from npm, kept out of the main install and for as long as the machine keeps its temporary files.
 * Only the package with the program for this platform is taken: the others wrap it, and bring hundreds of their own.
 */
const PACKAGES: Readonly<
  Record<AgentName, { readonly spec: (platform: string) => string; readonly program: (platform: string) => string }>
> = {
  claude: {
    spec: (platform) => `@anthropic-ai/claude-code-${platform}@2.1.325`,
    program: (platform) => `@anthropic-ai/claude-code-${platform}/claude`,
  },
  codex: {
    spec: (platform) => `@openai/codex@0.166.0-${platform}`,
    program: (platform) =>
      `@openai/codex/vendor/${platform === 'linux-arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl/bin/codex`,
  },
  gemini: { spec: () => '@google/gemini-cli@0.61.0', program: () => '@google/gemini-cli/bundle/gemini.js' },
  opencode: {
    spec: (platform) => `opencode-${platform}@1.18.33`,
    program: (platform) => `opencode-${platform}/bin/opencode`,
  },
  cline: {
    spec: (platform) => `@cline/cli-${platform}@3.0.65`,
    program: (platform) => `@cline/cli-${platform}/bin/cline`,
  },
};

const INSTALL_TIMEOUT_MS = 180_000;

export type Program = { readonly file: string } | { readonly missing: string };

/** Installs the program if it is not there yet. What keeps it from being there is said, and the tests are skipped. */
export function programOf(agent: AgentName): Program {
  if (process.platform !== 'linux') return { missing: `the real ${agent} is driven on Linux only` };
  const platform = `linux-${process.arch}`;
  const spec = PACKAGES[agent].spec(platform);
  const folder = join(tmpdir(), 'palimpsest-agents', spec.replace(/[^\w.-]+/g, '-'));
  const file = join(folder, 'node_modules', PACKAGES[agent].program(platform));
  if (!existsSync(file)) {
    const why = install(spec, folder);
    if (why !== null) return { missing: why };
  }
  return existsSync(file) ? { file } : { missing: `${spec} has no ${file}` };
}

function install(spec: string, folder: string): string | null {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  writeFileSync(join(draft, 'package.json'), '{"private":true}');
  const words = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--omit=dev',
    '--loglevel=error',
    spec,
  ];
  const { status, stderr, error } = spawnSync('npm', words, {
    cwd: draft,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status === 0) {
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    return null;
  }
  rmSync(draft, { recursive: true, force: true });
  return `${spec} could not be installed: ${(error?.message ?? stderr).trim().split('\n')[0]}`;
}
