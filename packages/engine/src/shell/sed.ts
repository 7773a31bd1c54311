import type { LineRange } from '@palimpsest/core';
import { LAST_LINE } from '@palimpsest/core';
import type { Argument } from './words.js';

/** A sed command line. `scripts` is null where a script is not known; `harmless` when it can only print and substitute. */
type SedCall = {
  readonly scripts: readonly string[] | null;
  readonly files: readonly Argument[];
  readonly quiet: boolean;
  /** The suffix of the copy that `-i` keeps, empty for none, null without `-i`. */
  readonly inPlace: string | null;
  readonly harmless: boolean;
};

export function parseSed(args: readonly Argument[]): SedCall {
  const scripts: Argument[] = [];
  const rest: Argument[] = [];
  let quiet = false;
  let inPlace: string | null = null;
  let strange = false;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at]!;
    const { text } = argument;
    if (!argument.certain || !text.startsWith('-') || text === '-') {
      strange ||= !argument.certain && (text === '' || text.startsWith('-'));
      rest.push(argument);
    } else if (text === '--') {
      rest.push(...args.slice(at + 1));
      break;
    } else if (text.startsWith('--')) {
      const long =
        /^--(in-place|expression|quiet|silent|regexp-extended|separate|null-data|posix|unbuffered)(?:=(.*))?$/s.exec(
          text,
        );
      if (long === null) strange = true;
      else if (long[1] === 'in-place') inPlace = long[2] ?? '';
      else if (long[1] === 'quiet' || long[1] === 'silent') quiet = true;
      else if (long[1] === 'expression' && long[2] !== undefined) scripts.push(certain(long[2]));
      else if (long[1] === 'expression') {
        at += 1;
        scripts.push(args[at] ?? NOT_KNOWN);
      }
    } else {
      const letters = readLetters(text.slice(1));
      quiet ||= letters.quiet;
      strange ||= letters.strange;
      if (letters.inPlace !== null) inPlace = letters.inPlace;
      if (letters.script === 'next') {
        at += 1;
        scripts.push(args[at] ?? NOT_KNOWN);
      } else if (letters.script !== null) scripts.push(certain(letters.script.slice(1)));
    }
  }
  // On macOS the suffix is an argument of its own, usually an empty one.
  if (inPlace === '' && rest[0]?.certain === true && rest[0].text === '') rest.shift();
  const script = scripts.length === 0 ? rest.splice(0, 1) : scripts;
  const known = !strange && script.length > 0 && script.every((argument) => argument.certain);
  const texts = known ? script.map((argument) => argument.text) : null;
  return { scripts: texts, files: rest, quiet, inPlace, harmless: texts?.every(isHarmless) === true };
}

const NOT_KNOWN: Argument = { text: '', certain: false };
const certain = (text: string): Argument => ({ text, certain: true });

type Letters = { quiet: boolean; strange: boolean; inPlace: string | null; script: string | null };

function readLetters(letters: string): Letters {
  const found: Letters = { quiet: false, strange: false, inPlace: null, script: null };
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters.charAt(at);
    const rest = letters.slice(at + 1);
    if (letter === 'n') found.quiet = true;
    else if (letter === 'i') return { ...found, inPlace: rest };
    else if (letter === 'e') return { ...found, script: rest === '' ? 'next' : `e${rest}` };
    else if (!/[Ersuz]/.test(letter)) return { ...found, strange: true };
  }
  return found;
}

/**
 * True only for scripts made of a few well understood commands. `w`, `W`, `r`, `e`, and a substitution with the flags `w`
 * or `e` are not among them; nor is what this small reader does not recognise.
 */
function isHarmless(script: string): boolean {
  let rest = script;
  while (rest !== '') {
    const address = /^(?:[\s;{}!,0-9$+~]|\\?\/(?:[^/\\\n]|\\.)*\/I?)*/.exec(rest)?.[0] ?? '';
    rest = rest.slice(address.length);
    if (rest === '') return true;
    const command = commandAt(rest);
    if (command === 0) return false;
    rest = rest.slice(command);
  }
  return true;
}

/** The length of one harmless command at the start of the text, or 0. */
function commandAt(text: string): number {
  const simple = /^[pPdDnNhHgGxq=lF](?=[\s;}]|$)/.exec(text) ?? /^[qQ] *\d*(?=[\s;}]|$)/.exec(text);
  if (simple !== null) return simple[0].length;
  // Text to add, change or insert runs to the end of the script here, which is more than it takes, and cannot do anything.
  if (/^[aic](\\\n|\\| )/.test(text))
    return text.includes('\n', 3) && !/^[aic]\\\n[^\n]*$/.test(text) ? 0 : text.length;
  const delimiter = /^[sy]([^\\\n\w\s])/.exec(text)?.[1];
  return delimiter === undefined ? 0 : substitutionAt(text, delimiter);
}

function substitutionAt(text: string, delimiter: string): number {
  let at = 2;
  for (let part = 0; part < 2; part += 1) {
    for (; at < text.length && text.charAt(at) !== delimiter; at += 1) if (text.charAt(at) === '\\') at += 1;
    if (at >= text.length) return 0;
    at += 1;
  }
  const flags = /^[gpiImM0-9]*(?=[\s;}]|$)/.exec(text.slice(at));
  return flags === null ? 0 : at + flags[0].length;
}

/** The line ranges that the script prints unchanged, or null where it does something else. */
export function rangesPrinted(call: SedCall): readonly LineRange[] | null {
  if (call.scripts === null || call.inPlace !== null) return null;
  const commands = call.scripts.flatMap((script) => script.split(/[;\n]/)).map((command) => command.trim());
  const ranges: LineRange[] = [];
  for (const command of commands.filter((text) => text !== '')) {
    const printed = call.quiet ? /^(\d+)(?:\s*,\s*(\+?\d+|\$))?\s*\{?\s*p\s*\}?$/.exec(command) : null;
    const quit = /^(\d+)\s*\{?\s*q\s*\}?$/.exec(command);
    if (printed !== null) ranges.push(rangeOf(Number(printed[1]), printed[2]));
    else if (quit === null) return null;
    else if (!call.quiet) ranges.push({ from: 1, to: Number(quit[1]) });
  }
  return ranges.every((range) => range.from >= 1 && range.to >= range.from) && ranges.length > 0 ? ranges : null;
}

function rangeOf(from: number, to: string | undefined): LineRange {
  if (to === undefined) return { from, to: from };
  if (to === '$') return { from, to: LAST_LINE };
  return { from, to: to.startsWith('+') ? from + Number(to.slice(1)) : Number(to) };
}
