import { isDangerousVariable } from './pure-commands.js';
import type { Argument } from './words.js';

/** A command inside another: `sudo rm x` removes `x`. */
type Unwrapped = { readonly args: readonly Argument[]; readonly certain: boolean };

/** By name: the options that take a value, and how many operands stand before the command. */
const WRAPPERS: ReadonlyMap<string, readonly [withValue: string, skip: number]> = new Map([
  ['sudo', ['u g h p C r t T U D R user group host prompt chdir', 0]],
  ['doas', ['u C', 0]],
  ['nohup', ['', 0]],
  ['nice', ['n adjustment', 0]],
  ['ionice', ['c n p class classdata', 0]],
  ['timeout', ['k s kill-after signal', 1]],
  ['stdbuf', ['i o e input output error', 0]],
  ['time', ['f format', 0]],
  ['command', ['', 0]],
  ['builtin', ['', 0]],
  ['exec', ['a', 0]],
  ['setsid', ['', 0]],
  ['noglob', ['', 0]],
  ['env', ['u unset', 0]],
]);

/** Options that make the wrapper do something else than run the command where it stands. */
const STRANGE = new Set(['C', 'S', 'o', 'D', 'R', 'chdir', 'split-string', 'output', 'login', 's', 'e', 'edit']);

/** The command that a wrapper runs; null if `name` is none. With no arguments left it runs nothing. */
export function unwrap(name: string, args: readonly Argument[]): Unwrapped | null {
  const wrapper = WRAPPERS.get(name);
  if (wrapper === undefined) return null;
  const [withValue, skip] = wrapper;
  const takesValue = withValue.split(' ');
  let certain = true;
  let at = 0;
  for (; args[at]?.certain === true && /^-./.test(args[at]!.text); at += 1) {
    const { text } = args[at]!;
    if (text === '--') {
      at += 1;
      break;
    }
    const option = text.startsWith('--') ? text.slice(2).replace(/=.*$/s, '') : text.slice(-1);
    if (name === 'sudo' && option === 'i') certain = false;
    if (STRANGE.has(option) && name !== 'timeout' && name !== 'stdbuf') certain = false;
    const attached = text.startsWith('--')
      ? text.includes('=')
      : text.length > 2 && takesValue.includes(text.charAt(1));
    if (takesValue.includes(option) && !attached) at += 1;
  }
  if (name === 'command' && args.slice(0, at).some(({ text }) => /^-[pvV]*[vV]/.test(text)))
    return { args: [], certain };
  at += skip;
  if (name !== 'env' && name !== 'sudo') return { args: args.slice(at), certain };
  for (; args[at]?.certain === true && /^\w+=/.test(args[at]!.text); at += 1) {
    if (isDangerousVariable(args[at]!.text.replace(/=.*$/s, ''))) certain = false;
  }
  return { args: args.slice(at), certain };
}

/** The script that `bash -c` and the like run. `stdin`: what comes in is the script; null: something else is. */
export function scriptOfShell(args: readonly Argument[]): Argument | 'stdin' | 'nothing' | null {
  let command = false;
  let at = 0;
  for (; at < args.length; at += 1) {
    const { text, certain } = args[at]!;
    if (!certain || !/^[-+]./.test(text)) break;
    if (text === '--version' || text === '--help') return 'nothing';
    if (text === '--rcfile' || text === '--init-file') return null;
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text)) command = true;
    if (/^[-+][a-zA-Z]*[oO]$/.test(text)) at += 1;
  }
  const operand = args[at];
  if (command) return operand ?? null;
  return operand === undefined ? 'stdin' : null;
}
