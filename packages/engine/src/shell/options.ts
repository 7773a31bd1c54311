import type { Argument } from './words.js';

/** A command line taken apart as getopt does: options may stand anywhere before `--`. */
export type Options = {
  /** Short letters and long names (with their dashes left off), each with the value it took. */
  readonly given: ReadonlyMap<string, Argument | null>;
  readonly operands: readonly Argument[];
  /** False when an argument that is not known could be an option as well. */
  readonly certain: boolean;
};

/** `withValue`: the letters and long names that take a value, separated by spaces. */
export function parseOptions(args: readonly Argument[], withValue = ''): Options {
  const takesValue = new Set(withValue.split(' ').filter((name) => name !== ''));
  const given = new Map<string, Argument | null>();
  const operands: Argument[] = [];
  let certain = true;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at]!;
    const { text } = argument;
    if (!argument.certain) {
      // Letters that cannot begin an option settle that it is none.
      certain &&= text !== '' && !text.startsWith('-');
      operands.push(argument);
    } else if (text === '--') {
      operands.push(...args.slice(at + 1));
      break;
    } else if (text.startsWith('--')) {
      const [name, value] = splitOnce(text.slice(2), '=');
      if (value !== undefined) given.set(name, { text: value, certain: true });
      else if (takesValue.has(name)) {
        at += 1;
        given.set(name, args[at] ?? null);
      } else given.set(name, null);
    } else if (text.startsWith('-') && text !== '-') {
      at += readLetters(text.slice(1), args[at + 1], takesValue, given);
    } else operands.push(argument);
  }
  return { given, operands, certain };
}

/** Returns how many further arguments were taken as a value. */
function readLetters(
  letters: string,
  next: Argument | undefined,
  takesValue: ReadonlySet<string>,
  given: Map<string, Argument | null>,
): 0 | 1 {
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters.charAt(at);
    if (!takesValue.has(letter)) {
      given.set(letter, null);
      continue;
    }
    const rest = letters.slice(at + 1);
    given.set(letter, rest === '' ? (next ?? null) : { text: rest, certain: true });
    return rest === '' ? 1 : 0;
  }
  return 0;
}

export function hasOption(options: Options, ...names: readonly string[]): boolean {
  return names.some((name) => options.given.has(name));
}

export function optionValue(options: Options, ...names: readonly string[]): Argument | null {
  for (const name of names) {
    const value = options.given.get(name);
    if (value !== undefined && value !== null) return value;
  }
  return null;
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
