import { spawn } from 'node:child_process';

export type Screen = {
  readonly rows: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/**
 * Shows a text that is longer than the screen in the user's pager, and answers whether it did. `PAL_PAGER` goes before
 * `PAGER`, and an empty one means none.
 */
export async function page(text: string, { rows, environment }: Screen): Promise<boolean> {
  const pager = environment.PAL_PAGER ?? environment.PAGER ?? 'less';
  if (pager.trim() === '' || rows === undefined || text.split('\n').length <= rows) return false;
  // As git has it: colours are shown, and what fits after all stays on the screen.
  const child = spawn(pager, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...environment, LESS: environment.LESS ?? 'FRX' },
  });
  // Whoever leaves the pager before the end has read enough.
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code !== NOT_FOUND));
  });
}

/** How a shell says that there is no such program. */
const NOT_FOUND = 127;
