import type { Outcome } from '@palimpsest/core';

/** As in the core, which a client that lives for one command would take longer to load than to use. */
export function answered<T>(value: T): Outcome<T, never> {
  return { ok: true, value };
}

export function refused<E>(error: E): Outcome<never, E> {
  return { ok: false, error };
}
