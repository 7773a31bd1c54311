/** One thing that was checked. `careful` works but may not for long; `wrong` does not work, or loses something. */
export type Finding = {
  readonly check: Check;
  readonly state: 'ok' | 'careful' | 'wrong';
  readonly message: string;
  /** What to do about it; there whenever the state is not `ok`. */
  readonly remedy?: string;
};

export type Check =
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

export const fine = (check: Check, message: string): Finding => ({ check, state: 'ok', message });
export const careful = (check: Check, message: string, remedy: string): Finding => ({
  check,
  state: 'careful',
  message,
  remedy,
});
export const wrong = (check: Check, message: string, remedy: string): Finding => ({
  check,
  state: 'wrong',
  message,
  remedy,
});
