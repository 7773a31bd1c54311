import { EXIT, type ExitCode } from './exit.js';
import { type ErrorBody, exitOfError } from './refusals.js';

/** Why a request came to nothing: what the daemon said, or that it said nothing. */
export type ClientFailure = {
  readonly error: ErrorBody;
  readonly exit: ExitCode;
  /** Null when no answer came. */
  readonly status: number | null;
};

export function failureOfAnswer(status: number, text: string): ClientFailure {
  const error = errorIn(text);
  if (error !== null) return { error, exit: exitOfError(error.code, status), status };
  if (status === 401) {
    const hint = 'it may have been started again: read daemon.json in the data directory anew';
    return {
      error: { code: 'unauthorized', message: 'the daemon does not accept the token', hint },
      exit: EXIT.denied,
      status,
    };
  }
  return {
    error: { code: 'bad-answer', message: `the daemon answered ${status} in a way that cannot be read` },
    exit: EXIT.failed,
    status,
  };
}

export function failureOfSilence(thrown: unknown): ClientFailure {
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  const error = {
    code: 'unreachable',
    message: `the daemon cannot be reached: ${why}`,
    hint: '`pal doctor` says what is wrong',
  };
  return { error, exit: EXIT.failed, status: null };
}

function errorIn(text: string): ErrorBody | null {
  const document = parsed(text);
  if (typeof document !== 'object' || document === null || !('error' in document)) return null;
  const { error } = document;
  const known = typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
  return known && typeof error.code === 'string' && typeof error.message === 'string' ? (error as ErrorBody) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // An answer that is not JSON says no more than its status.
  }
}
