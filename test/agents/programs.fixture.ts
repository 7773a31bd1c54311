import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
};

const INSTALL_TIMEOUT_MS = 180_000;

export type Program = { readonly file: string } | { readonly missing: string };

/**
 * Installs the program if it is not there yet, apart from the main install and for as long as the machine keeps its
 * temporary files. What keeps it from being there is said, and the tests are skipped.
 */
export async function programOf({ agent, source }: Driver): Promise<Program> {
  if (process.platform !== 'linux') return { missing: `the real ${agent} is driven on Linux only` };
  const { specs, program } = source(`linux-${process.arch}`);
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
