import { filesOfPatch, parsePatch } from '@palimpsest/core';
import type { Call, CommandRule } from './call.js';
import { hasOption, optionValue, parseOptions } from './options.js';
import { isPure } from './pure-commands.js';
import { parseSed } from './sed.js';

/** Commands that carry a little program, or do so much that only a part of it is foreseen. */
export const PROGRAM_COMMANDS: ReadonlyMap<string, CommandRule> = new Map<string, CommandRule>([
  ['sed', sed],
  ['gsed', sed],
  ['perl', perl],
  ['awk', awk],
  ['gawk', awk],
  ['mawk', awk],
  ['find', find],
  ['xargs', xargs],
  ['rg', openWith(/^--pre/)],
  ['fd', openWith(/^-(-exec|x|X)/)],
  ['yq', openWith(/^-(-inplace|[a-zA-Z]*i)/)],
  ['tree', openWith(/^-[a-zA-Z]*o/)],
  ['less', openWith(/^-(-|[a-zA-Z]*[oO])/)],
  ['apply_patch', applyPatch],
  ['applypatch', applyPatch],
  ['patch', patch],
  ['git', git],
  ['curl', (call) => download(call, 'o', 'output')],
  ['wget', (call) => download(call, 'O', 'output-document')],
]);

/** Writes something only with such an option. */
function openWith(option: RegExp): CommandRule {
  return (call) => {
    if (call.args.some(({ text, certain }) => !certain || option.test(text))) call.open();
  };
}

function sed(call: Call): void {
  const { harmless, files, inPlace } = parseSed(call.args);
  if (!harmless) call.open();
  if (inPlace === null) return;
  for (const file of files) {
    call.writes(file);
    if (inPlace === '') continue;
    const slash = file.text.lastIndexOf('/') + 1;
    const name = file.text.slice(slash);
    const copy = inPlace.includes('*') ? inPlace.replaceAll('*', name) : name + inPlace;
    call.writes({ ...file, text: copy.includes('/') ? copy : file.text.slice(0, slash) + copy });
  }
}

/** A program of nothing but substitutions with fixed words can only change the files that `-i` names. */
const PLAIN_SUBSTITUTION =
  /^\s*(?:(?:s|tr|y)([/|#,!])(?:(?!\1)[^\\$@`\n]|\\.|\$\d|\$(?=\1))*\1(?:(?!\1)[^\\$@`\n]|\\.|\$\d)*\1[gimsx]*\s*;?\s*)+$/;

function perl(call: Call): void {
  const files = [];
  const programs: string[] = [];
  let inPlace: string | null = null;
  let plain = call.args.every((argument) => argument.certain);
  for (let at = 0; at < call.args.length; at += 1) {
    const { text } = call.args[at]!;
    const switches = /^-((?:[pnlaw]|0[0-7]*)*)(i([^e]*?))?([pnlaw]*)(e(.*))?$/s.exec(text);
    if (files.length > 0 || !text.startsWith('-')) files.push(call.args[at]!);
    else if (switches === null) plain = false;
    else {
      if (switches[2] !== undefined) inPlace = switches[3] ?? '';
      if (switches[5] === 'e') at += 1;
      if (switches[5] !== undefined)
        programs.push(switches[5] === 'e' ? (call.args[at]?.text ?? '') : (switches[6] ?? ''));
    }
  }
  // Patterns can hold code too, and perl runs a file name with a pipe in it.
  const tame = (program: string) => PLAIN_SUBSTITUTION.test(program) && !/\(\?\??\{|\(\*/.test(program);
  plain &&= programs.length > 0 && programs.every(tame) && (inPlace ?? '') === '';
  plain &&= !files.some(({ text }) => /[|<>]/.test(text));
  if (!plain) call.open();
  if (inPlace !== null) for (const file of files) call.writes(file);
}

/** Output to files and pipes needs `>`, `|`, `system` or a loaded extension; comparing with `>` costs only precision. */
function awk(call: Call): void {
  const options = parseOptions(call.args, 'v F f i assign field-separator');
  const program = options.operands[0];
  const range = /^\s*NR\s*>=?\s*\d+(\s*&&\s*NR\s*<=?\s*\d+)?\s*(\{\s*print(\s+\$0)?\s*;?\s*\})?\s*$/;
  const strange = [...options.given.keys()].some((option) => !['v', 'F', 'assign', 'field-separator'].includes(option));
  const quiet = program?.certain === true && (range.test(program.text) || !/[>|@]|system|getline/.test(program.text));
  if (strange || !quiet || !options.certain) call.open();
}

function find(call: Call): void {
  const words = call.args.map(({ text }) => text);
  if (call.args.some((argument) => !argument.certain)) {
    call.open();
    return;
  }
  for (const [at, word] of words.entries()) {
    if (/^-(delete|fprint0?|fprintf|fls)$/.test(word)) call.open();
    if (/^-(exec|execdir|ok|okdir)$/.test(word) && !isPure(words[at + 1] ?? '')) call.open();
  }
}

/** What comes in as arguments is not known, so the command must be one that writes nothing whatever it is given. */
function xargs(call: Call): void {
  const withValue = new Set('-I -n -P -L -d -a -s -E --max-args --max-procs --delimiter --arg-file'.split(' '));
  let at = 0;
  while (call.args[at]?.certain === true && call.args[at]!.text.startsWith('-'))
    at += withValue.has(call.args[at]!.text) ? 2 : 1;
  const command = call.args[at];
  if (command !== undefined && (!command.certain || !isPure(command.text))) call.open();
}

/** Codex's patch tool, which its models also call from the shell. */
function applyPatch(call: Call): void {
  const given = call.args[0];
  const text = given?.certain === true ? given.text : given === undefined ? call.here : null;
  const sections = text === null ? null : parsePatch(text);
  if (sections === null) {
    call.open();
    return;
  }
  for (const { path, effect } of filesOfPatch(sections)) call.writes({ text: path, certain: true }, 'file', effect);
}

/** It may leave `.orig` and `.rej` files, ask, or be steered by the patch itself. */
function patch(call: Call): void {
  call.open();
  const options = parseOptions(call.args, 'p i o d F D r B z Y V strip input output directory');
  const target = optionValue(options, 'o', 'output') ?? options.operands[0];
  if (target !== undefined) call.writes(target);
  if (hasOption(options, 'd', 'directory')) return;
  const strip = Number(optionValue(options, 'p', 'strip')?.text ?? 0);
  for (const { path } of filesOfPatch(call.here === null ? [] : (parsePatch(call.here) ?? []))) {
    // Our reader took off `a/` already, which is what `-p1` does.
    const name = path
      .split('/')
      .slice(Math.max(0, strip - 1))
      .join('/');
    if (target === undefined && name !== '') call.writes({ text: name, certain: true });
  }
}

/** Subcommands that leave the files of the workspace alone: they read, or write inside the repository only. */
const QUIET_GIT = new Set(
  (
    'status diff log show ls-files ls-tree rev-parse rev-list blame annotate grep cat-file describe shortlog merge-base ' +
    'name-rev remote branch tag config reflog show-ref for-each-ref symbolic-ref var version help diff-tree diff-index ' +
    'diff-files count-objects check-ignore check-attr whatchanged add fetch hash-object ls-remote'
  ).split(' '),
);

function git(call: Call): void {
  const words = [...call.args];
  if (words.some((word) => !word.certain && (word.text === '' || word.text.startsWith('-')))) call.open();
  while (words[0]?.text.startsWith('-') === true) {
    const option = words.shift()!.text;
    if (option === '-c' || /^--(git-dir|work-tree|exec-path|namespace)/.test(option)) call.open();
    // Only where its files are is changed by it, and that matters only to what is not quiet.
    if (option === '-c' || option === '-C') words.shift();
  }
  const [subcommand, ...rest] = words;
  if (subcommand?.certain !== true) {
    call.open();
    return;
  }
  if (rest.some(({ text }) => /^--(output|ext-diff|open-files-in-pager|textconv)|^-O/.test(text))) call.open();
  if (QUIET_GIT.has(subcommand.text)) return;
  call.open();
  if (call.args[0] !== subcommand) return;
  for (const operand of pathsOfGit(subcommand.text, rest)) call.writes(operand);
}

function pathsOfGit(subcommand: string, rest: Call['args']): Call['args'] {
  const separator = rest.findIndex(({ text }) => text === '--');
  if (['checkout', 'reset', 'stash'].includes(subcommand)) return separator < 0 ? [] : rest.slice(separator + 1);
  if (!['restore', 'mv', 'rm'].includes(subcommand)) return [];
  return parseOptions(rest, 's source').operands;
}

function download(call: Call, letter: string, name: string): void {
  call.open();
  const target = optionValue(parseOptions(call.args, `${letter} ${name}`), letter, name);
  if (target !== null && target.text !== '-') call.writes(target);
}
