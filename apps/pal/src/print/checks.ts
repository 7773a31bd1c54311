import { counted } from './amount.js';
import { fitting } from './folded.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';

/** One thing that was checked. `careful` works but may not for long; `wrong` does not work, or loses something. */
export type Checked = {
  readonly check: CheckName;
  readonly state: 'ok' | 'careful' | 'wrong';
  readonly message: string;
  /** What to do about it; there whenever the state is not `ok`. */
  readonly remedy?: string;
};

export type CheckName =
  | 'node'
  | 'git'
  | 'data'
  | 'disk'
  | 'clock'
  | 'watching'
  | 'daemon'
  | 'workspace'
  | 'agents'
  | 'hooks';

export const fine = (check: CheckName, message: string): Checked => ({ check, state: 'ok', message });
export const careful = (check: CheckName, message: string, remedy: string): Checked => ({
  check,
  state: 'careful',
  message,
  remedy,
});
export const wrong = (check: CheckName, message: string, remedy: string): Checked => ({
  check,
  state: 'wrong',
  message,
  remedy,
});

const NAME_WIDTH = 10;

export function checksText(checks: readonly Checked[], { paint, width }: Style): string {
  const marks = { ok: paint.good('✓'), careful: paint.careful('!'), wrong: paint.bad('✗') };
  const lines = checks.flatMap(({ check, state, message, remedy }) => [
    `${marks[state]} ${check.padEnd(NAME_WIDTH)}${fitting(harmless(message), 2 + NAME_WIDTH, width)}`,
    ...(remedy === undefined
      ? []
      : [`  ${' '.repeat(NAME_WIDTH)}${paint.quiet('→')} ${fitting(harmless(remedy), 4 + NAME_WIDTH, width)}`]),
  ]);
  const wrong = checks.filter(({ state }) => state === 'wrong').length;
  const careful = checks.filter(({ state }) => state === 'careful').length;
  const summary =
    wrong > 0
      ? paint.bad(`${counted(wrong, 'thing')} to mend`)
      : careful > 0
        ? paint.careful('it works, with something to look at')
        : paint.good('all is well');
  return [...lines, '', summary].join('\n');
}
