import {
  type AndOr,
  type Case,
  type CommandNode,
  type CompoundList,
  type For,
  forEachChild,
  type If,
  type ParsedScript,
  type Pipeline,
  parse,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import type { Interpreter } from './interpreter.js';
import { changesOfLoop } from './loops.js';
import type { Prediction } from './prediction.js';
import type { Stream } from './reads.js';
import { readRedirections } from './redirections.js';
import { noteRedirections, runCommand } from './simple-command.js';
import { joinFolders, type ShellState } from './state.js';
import { expandWord } from './words.js';

/** Simple commands followed in one prediction, unrolled loops included. */
const COMMANDS_LIMIT = 4000;
/** Scripts within scripts: `bash -c`, `eval`, functions, substitutions. */
const NESTING_LIMIT = 24;

/** Whether what a command prints reaches the agent. */
type Visibility = 'shown' | 'hidden';

/** Follows a script from command to command, each in the state that those before it leave. */
export class Walk implements Interpreter {
  readonly start: string;
  readonly prediction: Prediction;
  #commands = 0;
  #nesting = 0;
  #visibility: Visibility = 'shown';
  /** The state of the shell that the command is given to. */
  #first: ShellState | null = null;

  constructor(start: string, prediction: Prediction) {
    this.start = start;
    this.prediction = prediction;
  }

  spend(): boolean {
    this.#commands += 1;
    if (this.#commands === COMMANDS_LIMIT + 1) this.prediction.open();
    return this.#commands <= COMMANDS_LIMIT;
  }

  walkText(text: string, state: ShellState): void {
    this.#first ??= state;
    this.#nested(() => this.#script(parse(text), state));
  }

  walkBody(body: SyntaxNode, state: ShellState): void {
    this.#nested(() => {
      if (body.type === 'CompoundList') this.#list(body, state);
      else this.#node(body as CommandNode, state, []);
    });
  }

  walkNested(node: SyntaxNode, state: ShellState): void {
    forEachChild(node, (child) => {
      if (child.type === 'Script') this.#hidden(() => this.#nested(() => this.#script(child, state.fork())));
      else this.walkNested(child, state);
    });
    if (node.type.startsWith('Arithmetic')) state.vars.clear();
    if (node.type === 'ParameterExpansion' && node.operation?.operator.includes('=') === true)
      state.vars.delete(node.parameter);
  }

  #nested(walk: () => void): void {
    if (this.#nesting >= NESTING_LIMIT) {
      this.prediction.open();
      return;
    }
    this.#nesting += 1;
    walk();
    this.#nesting -= 1;
  }

  #hidden(walk: () => void): void {
    const before = this.#visibility;
    this.#visibility = 'hidden';
    walk();
    this.#visibility = before;
  }

  #script(script: ParsedScript, state: ShellState): void {
    if ((script.errors ?? []).length > 0) this.prediction.open();
    for (const statement of script.commands) this.#statement(statement, state);
  }

  #list(list: CompoundList, state: ShellState): void {
    for (const statement of list.commands) this.#statement(statement, state);
  }

  #statement(statement: Statement, state: ShellState): void {
    // Only the shell that started a job can wait for it.
    const isFirstShell = state === this.#first;
    if (statement.background === true) this.prediction.leaveRunning(isFirstShell ? 'jobs' : 'detached');
    else if (isFirstShell && isWait(statement)) this.prediction.waitForJobs();
    const place = statement.background === true ? state.fork() : state;
    if (statement.command.type === 'AndOr') this.#andOr(statement.command, place);
    else this.#shown(this.#pipelineOrNode(statement.command, place));
  }

  #shown(streams: readonly Stream[]): void {
    if (this.#visibility === 'hidden') return;
    for (const { files, lines, numbered } of streams) {
      for (const path of files) {
        this.prediction.read({
          path,
          ...(lines === undefined ? {} : { lines }),
          ...(numbered === undefined ? {} : { numbered }),
        });
      }
    }
  }

  /** All but the first command may or may not run; after `cd x &&` the shell is in `x`. */
  #andOr(node: AndOr, state: ShellState): void {
    let elsewhere: readonly string[] | null = [];
    // Behind an `||` a command may not have run at all.
    let isSure = true;
    for (const [index, command] of node.commands.entries()) {
      if (this.#commands > COMMANDS_LIMIT) break;
      // After `||` any of the commands before may be the one that failed, wherever the shell was then.
      if (node.operators[index - 1] === '||') {
        state.cwds = joinFolders(state.cwds, elsewhere);
        isSure = false;
      }
      const skipped = state.fork();
      this.#shown(this.#pipelineOrNode(command, state));
      if (index > 0) state.join(skipped);
      if (!isSure || state.afterSuccess === undefined || node.operators[index] !== '&&') continue;
      elsewhere = joinFolders(elsewhere, state.cwds);
      state.cwds = state.afterSuccess;
    }
    state.cwds = joinFolders(state.cwds, elsewhere);
    state.afterSuccess = undefined;
  }

  #pipelineOrNode(node: CommandNode | Pipeline, state: ShellState): readonly Stream[] {
    if (node.type !== 'Pipeline') return this.#node(node, state, []);
    const streams = this.#pipeline(node, state);
    // With `!` in front success means failure, and a longer pipe says nothing of its first command.
    state.afterSuccess = undefined;
    return streams;
  }

  /** Each command has a shell of its own, save the last, which in some shells has not. */
  #pipeline(node: Pipeline, state: ShellState): readonly Stream[] {
    const [only] = node.commands;
    if (node.commands.length === 1 && only !== undefined) return this.#node(only, state, []);
    let streams: readonly Stream[] = [];
    for (const [index, command] of node.commands.entries()) {
      const place = state.fork();
      const last = index === node.commands.length - 1;
      const step = () => {
        streams = this.#node(command, place, streams);
      };
      if (last) step();
      else this.#hidden(step);
      if (last) state.join(place);
    }
    return streams;
  }

  #node(node: CommandNode, state: ShellState, input: readonly Stream[]): readonly Stream[] {
    if (node.type === 'Command') return runCommand(node, state, input, this);
    state.afterSuccess = undefined;
    switch (node.type) {
      case 'Subshell':
        this.#list(node.body, state.fork());
        break;
      case 'BraceGroup':
        this.#list(node.body, state);
        break;
      case 'Redirected':
        this.#redirected(node, state);
        break;
      case 'If':
        this.#if(node, state);
        break;
      case 'For':
        this.#for(node, state);
        break;
      case 'While':
        this.#loop(node, state, [node.clause, node.body]);
        break;
      case 'Select':
      case 'ArithmeticFor':
        this.#loop(node, state, [node.body]);
        break;
      case 'Case':
        this.#case(node, state);
        break;
      case 'Function':
        state.functions.set(node.name.value, node.body);
        break;
      case 'Coproc':
        this.#hidden(() => this.walkBody(node.body, state.fork()));
        break;
      case 'TestCommand':
      case 'ArithmeticCommand':
        this.walkNested(node, state);
        break;
    }
    state.afterSuccess = undefined;
    return [];
  }

  #redirected(node: Extract<CommandNode, { type: 'Redirected' }>, state: ShellState): void {
    for (const redirect of node.redirects) this.walkNested(redirect, state);
    const redirected = readRedirections(node.redirects, state.vars, 'other');
    noteRedirections(redirected, state, this);
    const walk = () => void this.#node(node.command, state, []);
    if (redirected.stdout === 'away') this.#hidden(walk);
    else walk();
  }

  #if(node: If, state: ShellState): void {
    this.#list(node.clause, state);
    const ends: ShellState[] = [];
    const branch = (list: CompoundList) => {
      const place = state.fork();
      this.#list(list, place);
      ends.push(place);
    };
    branch(node.then);
    for (const { clause, then } of node.elif) {
      ends.push(state.fork());
      this.#list(clause, state);
      branch(then);
    }
    if (node.else !== undefined) branch(node.else);
    for (const end of ends) state.join(end);
  }

  #case(node: Case, state: ShellState): void {
    this.walkNested(node.word, state);
    const ends: ShellState[] = [];
    for (const item of node.items) {
      for (const pattern of item.pattern) this.walkNested(pattern, state);
      const place = state.fork();
      this.#list(item.body, place);
      ends.push(place);
    }
    for (const end of ends) state.join(end);
  }

  /** A list of known words is walked once for each of them. */
  #for(node: For, state: ShellState): void {
    for (const word of node.wordlist ?? []) this.walkNested(word, state);
    const words = node.wordlist?.flatMap((word) => expandWord(word, state.vars));
    const name = node.name.value;
    if (words === undefined || words.some((word) => !word.certain)) {
      this.#loop(node, state, [node.body]);
      return;
    }
    const forget = changesOfLoop(node, state);
    const before = state.fork();
    for (const { text } of words) {
      forget(state);
      state.vars.set(name, text);
      this.#list(node.body, state);
      if (this.#commands > COMMANDS_LIMIT) break;
    }
    forget(state);
    state.join(before);
    state.vars.delete(name);
  }

  #loop(node: Exclude<CommandNode, { type: 'Command' }>, state: ShellState, parts: readonly CompoundList[]): void {
    if (node.type === 'ArithmeticFor') state.vars.clear();
    const forget = changesOfLoop(node, state);
    forget(state);
    for (const part of parts) this.#list(part, state);
    forget(state);
  }
}

/** `wait`, for everything. */
function isWait({ command }: Statement): boolean {
  return command.type === 'Command' && command.name?.value === 'wait' && command.suffix.length === 0;
}
