import { type CommandWords, type OptionWords, paths, valueOptions } from './words.js';

export function fishScript(pal: CommandWords): string {
  return `# fish completion for pal: save it as ~/.config/fish/completions/pal.fish
function __pal_path
  set -l path
  set -l skip no
  for word in (commandline -opc)[2..-1]
    if test $skip = yes
      set skip no
      continue
    end
    switch $word
      case ${valueOptions(pal).join(' ')}
        set skip yes
      case '-*'
      case '*'
        set -a path $word
    end
  end
  echo "$path"
end
function __pal_at
  set -l path (__pal_path)
  test "$path" = "$argv[1]"; or string match -q -- "$argv[1] *" "$path"
end
complete -c pal -f
${pal.options.map((option) => optionLine(option, '')).join('\n')}
complete -c pal -s h -l help -d 'explain this command'
${paths(pal)
  .flatMap(([path, command]) => linesOf(path, command, pal))
  .join('\n')}
`;
}

function linesOf(path: string, command: CommandWords, pal: CommandWords): readonly string[] {
  const exactly = `-n 'test (__pal_path) = ${JSON.stringify(path)}'`;
  const within = path === '' ? '' : `-n '__pal_at ${JSON.stringify(path)}'`;
  return [
    ...command.commands.map(({ name, summary }) => `complete -c pal ${exactly} -a ${name} -d ${quote(summary)}`),
    ...(command.choices.length === 0 ? [] : [`complete -c pal ${exactly} -a '${command.choices.join(' ')}'`]),
    ...(command.names === null ? [] : [`complete -c pal ${within} -a '(pal complete ${command.names} 2>/dev/null)'`]),
    ...(command === pal ? [] : command.options.map((option) => optionLine(option, within))),
    ...(path === 'run' ? [`complete -c pal ${within} -F`] : []),
  ];
}

function optionLine({ short, long, summary, takes }: OptionWords, condition: string): string {
  const flags = [short === null ? '' : `-s ${short.slice(1)}`, long === null ? '' : `-l ${long.slice(2)}`];
  return ['complete -c pal', condition, ...flags, valueFlags(takes), `-d ${quote(summary)}`]
    .filter((part) => part !== '')
    .join(' ');
}

function valueFlags(takes: OptionWords['takes']): string {
  switch (takes) {
    case 'nothing':
      return '';
    case 'folder':
      return "-x -a '(__fish_complete_directories)'";
    case 'file':
      return '-r -F';
    case 'text':
      return '-x';
    default:
      return 'names' in takes ? `-x -a '(pal complete ${takes.names} 2>/dev/null)'` : `-x -a '${takes.join(' ')}'`;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
