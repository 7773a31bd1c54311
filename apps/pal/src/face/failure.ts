import { EXIT, type ExitCode } from '@palimpsest/protocol/light';

export { EXIT, type ExitCode } from '@palimpsest/protocol/light';

/** How a process ends on a failure that has one of these codes; on all others it has just failed. */
const EXITS: Readonly<Record<string, ExitCode>> = {
  usage: EXIT.usage,
  'bad-input': EXIT.usage,
  moved: EXIT.moved,
  denied: EXIT.denied,
  'not-a-folder': EXIT.notFound,
  'no-such-file': EXIT.notFound,
  'unknown-checkpoint': EXIT.notFound,
  'unknown-workspace': EXIT.notFound,
};

/** Said by the daemon, which knows better; `data` is for programs, such as the paths that moved. */
type Told = { readonly exit?: ExitCode; readonly data?: Readonly<Record<string, unknown>> };

/** Ends a command with a message for a person; thrown, because every command ends the same way on it. */
export class Failure extends Error {
  readonly code: string;
  /** What the person can do next. */
  readonly hint: string | undefined;
  readonly exit: ExitCode;
  readonly #data: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    hint?: string,
    { exit = EXITS[code] ?? EXIT.failed, data = {} }: Told = {},
  ) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.hint = hint;
    this.exit = exit;
    this.#data = data;
  }

  toJSON(): { readonly error: Readonly<Record<string, unknown>> } {
    const { code, message, hint } = this;
    return { error: { ...this.#data, code, message, ...(hint === undefined ? {} : { hint }) } };
  }
}

/** Whatever was thrown, as a failure: a bug of ours says so, and asks for what helps to find it. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Failure(
    'internal',
    `something went wrong inside pal: ${message}`,
    'run it again with PAL_DEBUG=1 to see where; `pal doctor` checks the surroundings',
  );
}
