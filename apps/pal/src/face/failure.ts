import { EXIT, type ExitCode } from '@palimpsest/protocol/light';

export { EXIT, type ExitCode } from '@palimpsest/protocol/light';

export type FailureFacts = {
  readonly code: string;
  readonly message: string;
  /** What the person can do next. */
  readonly hint?: string;
  /** `failed` unless said. */
  readonly exit?: ExitCode;
  /** Further facts for programs, such as the paths that moved. */
  readonly data?: Readonly<Record<string, unknown>>;
};

/** Ends a command with a message for a person; thrown, because every command ends the same way on it. */
export class Failure extends Error {
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts) {
    super(facts.message);
    this.name = 'Failure';
    this.facts = facts;
  }

  get exit(): ExitCode {
    return this.facts.exit ?? EXIT.failed;
  }

  toJSON(): { readonly error: Readonly<Record<string, unknown>> } {
    const { code, message, hint, data } = this.facts;
    return { error: { ...data, code, message, ...(hint === undefined ? {} : { hint }) } };
  }
}

/** Whatever was thrown, as a failure: a bug of ours says so, and asks for what helps to find it. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Failure({
    code: 'internal',
    message: `something went wrong inside pal: ${message}`,
    hint: 'run it again with PAL_DEBUG=1 to see where; `pal doctor` checks the surroundings',
  });
}
