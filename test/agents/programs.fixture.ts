import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Driver } from './driver.fixture.js';

/**
 * Where a real program comes from on npm. Only the package with the program for this platform is taken, and what it
 * cannot do without: the package that people install wraps it, and brings hundreds of others.
 */
export type Source = {
  /** What is installed; the program is in the first. */
  readonly specs: readonly string[];
  readonly program: string;
  /** What it can do without is left where it is. */
  readonly omit?: 'optional';
};

const INSTALL_TIMEOUT_MS = 180_000;

export type Wanted = { readonly agent: string; readonly source: Driver['source'] };
export type Program = { readonly file: string } | { readonly missing: string };

/** Says which programs cannot be had, and why; their tests are skipped and counted as such. */
export async function withPrograms<T extends { readonly driver: Driver }>(all: readonly T[]) {
  const ready: (T & { readonly agent: string; readonly program: Program })[] = [];
  for (const each of all) {
    const program = await programOf(each.driver);
    if ('missing' in program) process.stdout.write(`SKIPPED, all that needs the real program: ${program.missing}\n`);
    ready.push({ ...each, agent: each.driver.agent, program });
  }
  return ready;
}

/**
 * Installs the program if it is not there yet, apart from the main install and for as long as the machine keeps its
 * temporary files; without a network from npm's cache, if it is there.
 */
export async function programOf({ agent, source }: Wanted): Promise<Program> {
  if (process.platform !== 'linux') return { missing: `the real ${agent} is driven on Linux only` };
  const { specs, program, omit } = source(`linux-${process.arch}`);
  const folder = join(tmpdir(), 'palimpsest-agents', specs.join('+').replace(/[^\w.+-]+/g, '-'));
  const file = join(folder, 'node_modules', program);
  if (!existsSync(file)) {
    const why = await install(specs, folder, omit === undefined ? [] : [`--omit=${omit}`]);
    if (why !== null) return { missing: why };
  }
  return existsSync(file) ? { file } : { missing: `${specs[0]} has no ${program}` };
}

/** The Node that runs this, if it is of that version; others come from npm as plain binaries. */
export async function nodeOf(version: string): Promise<Program> {
  if (process.versions.node.split('.')[0] === version) return { file: process.execPath };
  const source = (platform: string) => ({
    specs: [`node-${platform}@${version}`],
    program: `node-${platform}/bin/node`,
  });
  return programOf({ agent: 'Node', source });
}

async function install(specs: readonly string[], folder: string, more: readonly string[]): Promise<string | null> {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  writeFileSync(join(draft, 'package.json'), '{"private":true}');
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', ['install', ...options, ...more, ...specs], {
      cwd: draft,
      timeout: INSTALL_TIMEOUT_MS,
    });
    // For whoever runs it; the temporary folder was for us alone.
    chmodSync(draft, 0o755);
    // Another test file may have been quicker, and its program runs already.
    if (!existsSync(folder)) renameSync(draft, folder);
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${specs[0]} could not be installed from npm or its cache: ${why.trim().split('\n').at(-1)}`;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
