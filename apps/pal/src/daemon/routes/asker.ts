import { DEADLINE, WITHIN } from '@palimpsest/protocol/light';
import type { Context } from 'hono';

/** Who asks: until when it waits for the answer, whether it still does, and the session that it runs within. */
export type Asker = {
  readonly deadline: number | undefined;
  readonly parent: string | undefined;
  readonly isHeard: () => boolean;
};

/** An answer needs some time to arrive. One that is not sent in time counts as not heard, whoever may still hear it. */
const ON_THE_WAY_MS = 50;

/**
 * A daemon that was stopped or busy finds requests whose senders have long gone, and may take them before it hears that
 * the connection is closed. So a sender says until when it waits; its clock is ours.
 */
export function askerOf({ req }: Context): Asker {
  const { signal } = req.raw;
  const said = Number(req.header(DEADLINE));
  const deadline = Number.isSafeInteger(said) && said > 0 ? said : undefined;
  const parent = req.header(WITHIN);
  return {
    deadline,
    parent: parent === undefined || parent === '' ? undefined : decoded(parent),
    isHeard: () => !signal.aborted && (deadline === undefined || Date.now() < deadline - ON_THE_WAY_MS),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not written by us; it is an opaque id in any case.
  }
}
