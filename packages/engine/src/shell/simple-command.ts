import type { Effect } from '@palimpsest/core';
import type { Assignment, Command } from 'unbash';
import type { Call } from './call.js';
import { FILE_COMMANDS } from './file-commands.js';
import type { Interpreter } from './interpreter.js';
import { resolveFrom } from './paths.js';
import { PROGRAM_COMMANDS } from './program-commands.js';
import { isDangerousVariable, isPure, isSetter, plainName } from './pure-commands.js';
import { type Stream, streamsThrough } from './reads.js';
import { type Redirected, readRedirections } from './redirections.js';
import { joinFolders, type ShellState } from './state.js';
import { type Argument, expandWhole, expandWord } from './words.js';
import { scriptOfShell, unwrap } from './wrappers.js';

/** Runs one simple command in the mind: notes what it writes and returns the file lines that it passes on. */
export function runCommand(
  node: Command,
  state: ShellState,
  input: readonly Stream[],
  shell: Interpreter,
): readonly Stream[] {
  state.afterSuccess = undefined;
  if (!shell.spend()) return [];
  for (const part of [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix]) {
    shell.walkNested(part, state);
  }
  const copies = node.name?.value === 'cat' && node.args.length === 0 ? 'copies-input' : 'other';
  const redirected = readRedirections(node.redirects, state.vars, copies);
  noteRedirections(redirected, state, shell);
  const assignments = node.prefix.filter((part) => part.type === 'Assignment');
  if (node.name === undefined) {
    for (const assignment of assignments) assign(assignment, state, shell);
    return [];
  }
  if (assignments.some((assignment) => !isTame(assignment))) shell.prediction.open();
  const words = [...expandWord(node.name, state.vars), ...node.args.flatMap((word) => expandArgument(word, state))];
  const declared = node.args.filter((word) => word.type === 'Assignment');
  const incoming = inputOf(redirected, input, state, shell);
  const passed = run({ words, declared, here: redirected.here, input: incoming }, state, shell);
  return redirected.stdout === 'away' ? [] : passed;
}

/** Notes what the redirections of a compound command write. */
export function noteRedirections(redirected: Redirected, state: ShellState, shell: Interpreter): void {
  if (redirected.setsVariable) state.vars.clear();
  for (const { target, effect } of redirected.outputs) noteWrite(target, 'file', effect, state, shell);
}

type Line = {
  readonly words: readonly Argument[];
  readonly declared: readonly Assignment[];
  readonly here: string | true | null;
  readonly input: readonly Stream[];
};

function run(line: Line, state: ShellState, shell: Interpreter): readonly Stream[] {
  const [first, ...args] = line.words;
  if (first === undefined) return [];
  if (!first.certain) {
    shell.prediction.open();
    return [];
  }
  const name = plainName(first.text);
  if (DETACHING.has(name)) shell.prediction.leaveRunning('detached');
  const body = state.functions.get(name);
  if (body !== undefined) {
    if (state.doubtful.has(name)) shell.prediction.open();
    callFunction(body, state, shell);
    return [];
  }
  const inner = unwrap(name, args);
  if (inner !== null) {
    if (!inner.certain) shell.prediction.open();
    return run({ ...line, words: inner.args }, state, shell);
  }
  const builtin = BUILTINS.get(name);
  if (builtin !== undefined) {
    builtin(args, line, state, shell);
    return [];
  }
  if (isSetter(name) || (name === 'printf' && /^(-v.*)?$/s.test(args[0]?.text ?? ''))) state.vars.clear();
  const rule = FILE_COMMANDS.get(name) ?? PROGRAM_COMMANDS.get(name);
  if (rule !== undefined) rule(callOf(args, line, state, shell));
  else if (!isPure(name) && !isSetter(name)) shell.prediction.open();
  return streamsThrough({ name, args, input: line.input, open: (operand) => fileStream(operand, state, shell) });
}

/** Commands that let something run on when they have ended, by themselves or with what they start. */
const DETACHING: ReadonlySet<string> = new Set([
  ...['nohup', 'setsid', 'disown', 'daemonize', 'start-stop-daemon', 'systemd-run', 'at', 'batch'],
  ...['tmux', 'screen', 'pm2', 'forever'],
]);

function callOf(args: readonly Argument[], line: Line, state: ShellState, shell: Interpreter): Call {
  return {
    args,
    here: typeof line.here === 'string' ? line.here : null,
    writes: (target, extent = 'file', effect = null) => noteWrite(target, extent, effect, state, shell),
    open: () => shell.prediction.open(),
  };
}

/** Whatever is written under a name that is not known may be any file. */
function noteWrite(
  target: Argument,
  extent: 'file' | 'tree',
  effect: Effect | null,
  state: ShellState,
  shell: Interpreter,
): void {
  if (target.certain && (target.text === '' || /^\/dev\/(null|std(in|out|err)|tty|fd\/\d+|zero)$/.test(target.text)))
    return;
  const folders = target.text.startsWith('/') ? ['/'] : state.cwds;
  if (folders === null || !target.certain) {
    shell.prediction.open();
    return;
  }
  for (const folder of folders) {
    const { path, certain } = resolveFrom(folder, target.text, shell.start);
    if (!certain) shell.prediction.open();
    shell.prediction.write({ path, extent, effect });
  }
}

function inputOf(
  redirected: Redirected,
  input: readonly Stream[],
  state: ShellState,
  shell: Interpreter,
): readonly Stream[] {
  if (redirected.here !== null) return [];
  if (redirected.input === null) return input;
  const stream = fileStream(redirected.input, state, shell);
  return stream === null ? [] : [stream];
}

function fileStream(operand: Argument, state: ShellState, shell: Interpreter): Stream | null {
  const folders = operand.text.startsWith('/') ? ['/'] : state.cwds;
  if (!operand.certain || operand.text === '' || folders === null || operand.text.startsWith('/dev/')) return null;
  return { files: folders.map((folder) => resolveFrom(folder, operand.text, shell.start).path) };
}

function expandArgument(word: Command['args'][number], state: ShellState): readonly Argument[] {
  if (word.type === 'Word') return expandWord(word, state.vars);
  const value = word.value.type === 'Word' ? expandWhole(word.value, state.vars) : { text: '', certain: false };
  return [{ text: `${word.name}=${value.text}`, certain: value.certain }];
}

function assign(assignment: Assignment, state: ShellState, shell: Interpreter): void {
  if (!isTame(assignment)) shell.prediction.open();
  const { name, value } = assignment;
  const plain = assignment.append !== true && assignment.index === undefined && value.type === 'Word';
  const known = plain ? expandWhole(value, state.vars) : null;
  if (known?.certain === true) state.vars.set(name, known.text);
  else state.vars.delete(name);
}

/** Turning a pager off is what agents set these variables for. */
function isTame(assignment: Assignment): boolean {
  return !isDangerousVariable(assignment.name) || /^(GIT_)?PAGER=(cat)?$/.test(assignment.text);
}

/** What a function sets may be local to it, so afterwards the value is not known. */
function callFunction(body: Parameters<Interpreter['walkBody']>[0], state: ShellState, shell: Interpreter): void {
  const before = new Map(state.vars);
  shell.walkBody(body, state);
  for (const [name, value] of state.vars) if (before.get(name) !== value) state.vars.delete(name);
}

type Builtin = (args: readonly Argument[], line: Line, state: ShellState, shell: Interpreter) => void;

const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['cd', changeFolder],
  ['pushd', changeFolder],
  ['popd', (_args, _line, state) => forgetFolder(state)],
  ['eval', evaluate],
  ['trap', trap],
  ...['bash', 'sh', 'zsh', 'dash', 'ksh'].map((name) => [name, runShell] as const),
  ...['export', 'declare', 'local', 'typeset', 'readonly'].map((name) => [name, declare] as const),
]);

/** It may fail, and then the shell stays where it is. */
function changeFolder(args: readonly Argument[], _line: Line, state: ShellState, shell: Interpreter): void {
  const target = args.find(({ text, certain }) => !certain || !/^-[LPe@]+$|^--$/.test(text));
  if (target?.certain !== true || target.text === '-' || target.text === '' || state.cwds === null) {
    forgetFolder(state);
    return;
  }
  if (/^[-+]/.test(target.text)) {
    forgetFolder(state);
    return;
  }
  const resolved = state.cwds.map((folder) => resolveFrom(folder, target.text, shell.start));
  if (resolved.some(({ certain }) => !certain)) {
    forgetFolder(state);
    return;
  }
  const reached = resolved.map(({ path }) => path);
  state.cwds = joinFolders(reached, state.cwds);
  state.afterSuccess = reached;
}

function forgetFolder(state: ShellState): void {
  state.cwds = null;
  state.afterSuccess = null;
}

function evaluate(args: readonly Argument[], _line: Line, state: ShellState, shell: Interpreter): void {
  if (args.every(({ certain }) => certain)) {
    shell.walkText(args.map(({ text }) => text).join(' '), state);
    return;
  }
  shell.prediction.open();
  state.vars.clear();
  forgetFolder(state);
}

function trap(args: readonly Argument[], _line: Line, state: ShellState, shell: Interpreter): void {
  const action = args.find(({ text, certain }) => !certain || !/^-[lp]?$|^--$/.test(text));
  if (action === undefined) return;
  if (!action.certain) {
    shell.prediction.open();
    return;
  }
  // It runs at some later point, from wherever the shell is then.
  const later = state.child();
  later.cwds = null;
  shell.walkText(action.text, later);
}

function runShell(args: readonly Argument[], line: Line, state: ShellState, shell: Interpreter): void {
  const script = scriptOfShell(args);
  if (script === 'nothing') return;
  const text = script === 'stdin' ? line.here : script?.certain === true ? script.text : null;
  if (typeof text !== 'string') {
    shell.prediction.open();
    return;
  }
  shell.walkText(text, state.child());
}

function declare(args: readonly Argument[], line: Line, state: ShellState, shell: Interpreter): void {
  for (const assignment of line.declared) assign(assignment, state, shell);
  // `declare "$name=…"` sets what the letters do not tell, and some flags change what a value becomes.
  if (args.some(({ text, certain }) => !certain && !/^\w+=/.test(text))) state.vars.clear();
  if (args.some(({ text }) => /^-[a-zA-Z]*[iluncaA]/.test(text))) state.vars.clear();
}
