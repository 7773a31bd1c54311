import { type Call, type CommandRule, joined } from './call.js';
import { hasOption, type Options, optionValue, parseOptions } from './options.js';
import { baseName } from './paths.js';
import type { Argument } from './words.js';

/** The commands whose purpose is to write, move or remove the files they name. */
export const FILE_COMMANDS: ReadonlyMap<string, CommandRule> = new Map<string, CommandRule>([
  ['cp', copy],
  ['mv', move],
  ['install', install],
  ['ln', link],
  ['rm', remove],
  ['unlink', (call) => eachOperand(call, '')],
  ['touch', (call) => eachOperand(call, 'd r t date reference time')],
  ['truncate', (call) => eachOperand(call, 's r size reference')],
  ['tee', (call) => eachOperand(call, '')],
  ['chmod', changeMode],
  ['dd', convert],
  ['sort', sort],
  ['uniq', (call) => secondOperand(call, 'f s w skip-fields skip-chars check-chars')],
  ['xxd', (call) => secondOperand(call, 'c g l o s cols groupsize len offset seek')],
]);

/** Options that keep a copy under a name of their own making. */
const BACKUPS = ['b', 'backup', 'S', 'suffix'];

function eachOperand(call: Call, withValue: string): void {
  const options = parseOptions(call.args, withValue);
  if (!options.certain) call.open();
  for (const operand of options.operands) call.writes(operand);
}

function copy(call: Call): void {
  const options = parseOptions(call.args, 't target-directory S suffix');
  const recursive = hasOption(options, 'r', 'R', 'a', 'recursive', 'archive');
  if (!options.certain || hasOption(options, ...BACKUPS, 'parents')) call.open();
  place(call, options, recursive ? 'tree' : 'file');
}

function move(call: Call): void {
  const options = parseOptions(call.args, 't target-directory S suffix');
  if (!options.certain || hasOption(options, ...BACKUPS)) call.open();
  const sources =
    optionValue(options, 't', 'target-directory') === null ? options.operands.slice(0, -1) : options.operands;
  for (const source of sources) call.writes(source, 'tree');
  place(call, options, 'tree');
}

/** A last operand that is a folder takes the others in by name; whether it is one, the letters do not always tell. */
function place(call: Call, options: Options, extent: 'file' | 'tree'): void {
  const into = optionValue(options, 't', 'target-directory');
  const sources = into === null ? options.operands.slice(0, -1) : options.operands;
  const target = into ?? options.operands.at(-1);
  if (target === undefined || sources.length === 0) return;
  const folder = into !== null || sources.length > 1;
  if (!folder) call.writes(target, extent);
  if (hasOption(options, 'T', 'no-target-directory')) return;
  for (const source of sources) inside(call, target, source, extent);
}

function inside(call: Call, folder: Argument, source: Argument, extent: 'file' | 'tree'): void {
  const name = baseName(source.text);
  if (!source.certain) call.open();
  // `cp -r a/. b` puts what is in `a` into `b`.
  else if (name === '' || name === '..' || /(^|\/)\.{1,2}\/*$/.test(source.text)) call.writes(folder, 'tree');
  else call.writes(joined(folder, name), extent);
}

function install(call: Call): void {
  const options = parseOptions(call.args, 't target-directory S suffix m mode o owner g group strip-program');
  if (hasOption(options, 'd', 'directory')) return;
  if (!options.certain || hasOption(options, ...BACKUPS, 's', 'strip', 'strip-program')) call.open();
  place(call, options, 'file');
}

function link(call: Call): void {
  const options = parseOptions(call.args, 't target-directory S suffix');
  if (!options.certain || hasOption(options, ...BACKUPS)) call.open();
  const [only] = options.operands;
  if (options.operands.length !== 1 || only === undefined || hasOption(options, 't', 'target-directory')) {
    place(call, options, 'file');
  } else call.writes({ text: baseName(only.text), certain: only.certain });
}

function remove(call: Call): void {
  const options = parseOptions(call.args);
  if (!options.certain) call.open();
  const extent = hasOption(options, 'r', 'R', 'recursive') ? 'tree' : 'file';
  for (const operand of options.operands) call.writes(operand, extent);
}

/** A mode may look like an option: `chmod -x file`. */
function changeMode(call: Call): void {
  const recursive = call.args.some(({ text }) => /^-[Rvcf]*R[Rvcf]*$|^--recursive$/.test(text));
  const byReference = call.args.some(({ text }) => text.startsWith('--reference'));
  const operands = call.args.filter(({ text, certain }) => !certain || !/^-[Rvcf]+$|^--/.test(text));
  if (call.args.some(({ certain, text }) => !certain && (text === '' || text.startsWith('-')))) call.open();
  for (const operand of byReference ? operands : operands.slice(1)) call.writes(operand, recursive ? 'tree' : 'file');
}

function convert(call: Call): void {
  for (const { text, certain } of call.args) {
    if (text.startsWith('of=')) call.writes({ text: text.slice(3), certain });
    else if (!certain && !/^(if|bs|count|skip|seek|conv|iflag|oflag|status|ibs|obs)=/.test(text)) call.open();
  }
}

function sort(call: Call): void {
  const withValue = 'k t S T o key field-separator buffer-size temporary-directory output parallel batch-size';
  const options = parseOptions(call.args, withValue);
  const output = optionValue(options, 'o', 'output');
  if (!options.certain || hasOption(options, 'compress-program')) call.open();
  if (output !== null) call.writes(output);
}

function secondOperand(call: Call, withValue: string): void {
  const options = parseOptions(call.args, withValue);
  const output = options.operands[1];
  if (!options.certain || options.operands.some((operand) => !operand.certain)) call.open();
  if (output !== undefined) call.writes(output);
}
