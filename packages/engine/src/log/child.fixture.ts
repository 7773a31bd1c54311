import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** A program that runs from the sources as they are, without a build: bundled once, started as often as needed. */
export async function bundleProgram(source: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"imports":{"#sqlite":"@photostructure/sqlite"}}');
  symlinkSync(fileURLToPath(new URL('../../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
  const bundle = await rolldown({
    input: fileURLToPath(new URL(source, import.meta.url)),
    platform: 'node',
    external: /^node:/,
    resolve: { alias: { '@palimpsest/core': fileURLToPath(new URL('../../../core/src/index.ts', import.meta.url)) } },
    logLevel: 'silent',
  });
  const file = join(folder, 'program.mjs');
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  return file;
}

export type Program = {
  readonly process: ChildProcess;
  /** Every whole line that it has printed. */
  readonly lines: readonly string[];
  /** Settles with the first line, or with null when it ended without one. */
  readonly firstLine: Promise<string | null>;
  readonly ended: Promise<void>;
};

export function startProgram(file: string, ...args: readonly string[]): Program {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  // All that it printed was read, and the process is gone with everything that it held.
  const ended = Promise.all([
    new Promise<void>((resolve) => reader.once('close', resolve)),
    new Promise<void>((resolve) => child.once('exit', () => resolve())),
  ]).then(() => undefined);
  const firstLine = new Promise<string | null>((resolve) => {
    reader.once('line', resolve);
    reader.once('close', () => resolve(null));
  });
  reader.on('line', (line) => lines.push(line));
  return { process: child, lines, firstLine, ended };
}
