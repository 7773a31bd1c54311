import { VERSION } from '@palimpsest/protocol/light';
import type { Act, Answer, Said } from './cli/command.js';
import { buildProgram, isUsageError, spelledOut, unknownTopic, usageFailure } from './cli/program.js';
import { readStdin } from './cli/stdin.js';
import { faceOf } from './face/face.js';
import { asFailure, EXIT, type Failure } from './face/failure.js';
import { failureText } from './print/failure.js';
import { withinWidth } from './print/folded.js';
import { harmlessJson, harmlessJsonLine, harmlessLines } from './print/harmless.js';
import { endQuietlyOnClosedPipe, output } from './print/output.js';
import { page } from './print/pager.js';
import { type Style, styleOf } from './print/style.js';
import { surroundings } from './surroundings/surroundings.js';

/** Runs one command line and gives the exit code. `stdin` is what was read of it already, if anything was. */
export async function main(given: readonly string[], stdin?: string): Promise<number> {
  const args = spelledOut(given);
  const around = surroundings();
  const format = wantsJson(args) ? 'json' : 'text';
  const style = styleOf(process.stdout, around.environment);
  let exit: number = EXIT.done;
  const helps: string[] = [];
  try {
    const failure = unknownTopic(given);
    if (failure !== null) throw failure;
    const act: Act =
      (run) =>
      async (...parsed) => {
        const directory = program.opts<{ C?: string }>().C;
        const face = faceOf({ directory, format, surroundings: around, stdin: async () => stdin ?? readStdin() });
        exit = await say(await run(face, ...parsed), format);
      };
    const program = await buildProgram(args, {
      version: VERSION,
      act,
      paint: style.paint,
      help: (text) => void helps.push(text),
    });
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    exit = await sayFailure(isUsageError(error) ? usageFailure(error, args) : asFailure(error), format, error);
  }
  if (helps.length > 0 && exit === EXIT.done) await output.out(helps.join(''));
  return exit;
}

/** The start file calls this: the process ends with the command, whatever sockets are still open. */
export async function start(args: readonly string[], stdin?: string): Promise<never> {
  endQuietlyOnClosedPipe(() => process.exit(EXIT.done));
  process.on('uncaughtException', (error) => {
    const format = wantsJson(args) ? 'json' : 'text';
    void sayFailure(asFailure(error), format, error).then((exit) => process.exit(exit));
  });
  process.exit(await main(args, stdin));
}

async function say(answer: Answer, format: 'text' | 'json'): Promise<number> {
  const environment = surroundings().environment;
  if ('each' in answer) {
    for await (const one of answer.each) {
      const said = format === 'json' ? harmlessJsonLine(one.json) : textOf(one, styleOf(process.stdout, environment));
      await output.out(`${said}\n`);
    }
    return EXIT.done;
  }
  if (format === 'json') await output.out(`${harmlessJson(answer.json)}\n`);
  else if (answer.on === 'err') await output.err(withNewline(textOf(answer, styleOf(process.stderr, environment))));
  else {
    const text = withNewline(textOf(answer, styleOf(process.stdout, environment)));
    const paged =
      answer.pages === true && process.stdout.isTTY && (await page(text, { rows: process.stdout.rows, environment }));
    if (!paged) await output.out(text);
  }
  return answer.exit ?? EXIT.done;
}

function textOf({ text, verbatim }: Pick<Said, 'text' | 'verbatim'>, style: Style): string {
  return verbatim === true ? text(style) : withinWidth(text(style), style.width);
}

async function sayFailure(failure: Failure | null, format: 'text' | 'json', thrown: unknown): Promise<number> {
  if (failure === null) return EXIT.done;
  const { environment } = surroundings();
  if (format === 'json') await output.out(`${harmlessJson(failure)}\n`);
  else await output.err(failureText(failure, styleOf(process.stderr, environment)));
  if (environment.PAL_DEBUG === '1' && thrown instanceof Error)
    await output.err(`${harmlessLines(String(thrown.stack))}\n`);
  return failure.exit;
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Known before anything is parsed, so that a usage error is said in the form that was asked for. */
function wantsJson(args: readonly string[]): boolean {
  const ours = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  return ours.includes('--json');
}
