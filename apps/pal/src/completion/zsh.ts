import { type CommandWords, flagsOf, type NameKind, type OptionWords } from './words.js';

export function zshScript(pal: CommandWords): string {
  return `#compdef pal
# zsh completion for pal: source it after compinit, or save it as _pal in a folder of $fpath
${functionsOf(pal, '_pal', pal)}
compdef _pal pal
`;
}

function functionsOf(command: CommandWords, name: string, pal: CommandWords): string {
  const specs = [...command.options, ...(command === pal ? [] : pal.options)].map(optionSpec);
  const help = `'(- *)'{-h,--help}'[explain this command]'`;
  if (command.commands.length === 0) {
    const values = valuesSpec(command);
    return `${name}() {\n  _arguments -s ${[...specs, help, values].join(' ')}\n}`;
  }
  const described = command.commands.map((inner) => `    ${quote(`${inner.name}:${inner.summary}`)}`).join('\n');
  const cases = command.commands.map((inner) => `        ${inner.name}) ${name}_${inner.name} ;;`).join('\n');
  return `${command.commands.map((inner) => functionsOf(inner, `${name}_${inner.name}`, pal)).join('\n')}
${name}() {
  local curcontext=$curcontext state line
  local -a commands=(
${described}
  )
  _arguments -C -s ${[...specs, help].join(' ')} '1: :->command' '*:: :->rest'
  case $state in
    command) _describe -t commands 'command' commands ;;
    rest)
      case $line[1] in
${cases}
      esac ;;
  esac
}`;
}

function valuesSpec({ choices, names }: CommandWords): string {
  if (choices.length > 0) return `'1: :(${choices.join(' ')})'`;
  return names === null ? `'*: :_files'` : `'*: :${namesAction(names)}'`;
}

function namesAction(names: NameKind): string {
  return `{ compadd -- \${(f)"$(pal complete ${names} 2>/dev/null)"} }`;
}

function optionSpec(option: OptionWords): string {
  const flags = flagsOf(option);
  const about = `[${option.summary.replace(/[[\]:]/g, ' ')}]${valueSpec(option)}`;
  return flags.length === 1
    ? quote(`${flags[0]}${about}`)
    : `${quote(`(${flags.join(' ')})`)}{${flags.join(',')}}${quote(about)}`;
}

function valueSpec({ takes }: OptionWords): string {
  switch (takes) {
    case 'nothing':
      return '';
    case 'folder':
      return ':folder:_files -/';
    case 'file':
      return ':file:_files';
    case 'text':
      return ':value: ';
    default:
      return 'names' in takes ? `:value:${namesAction(takes.names)}` : `:value:(${takes.join(' ')})`;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
