import { type CommandWords, flagsOf, type NameKind, type OptionWords, paths, valueOptions } from './words.js';

/**
 * Works with plain bash; needs nothing from the bash-completion package. Names of files are left to bash itself, which
 * knows how to quote them: an empty reply makes it complete them.
 */
export function bashScript(pal: CommandWords): string {
  const commands = paths(pal).filter(([path]) => path !== '');
  return `# bash completion for pal: source it, or put it in ~/.local/share/bash-completion/completions/pal
_pal() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path='' skip='' word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${valueOptions(pal).join('|')}) skip=yes ;;
      --) return ;;
      -*) ;;
      *) case "\${path:+$path }$word" in
${commands.map(([path]) => `           '${path}') path='${path}' ;;`).join('\n')}
         esac ;;
    esac
  done
  case "$path:$previous" in
${commands.flatMap(([path, command]) => command.options.flatMap((option) => valueCase(`'${path}'`, option))).join('\n')}
${pal.options.flatMap((option) => valueCase('*', option)).join('\n')}
  esac
  case $path in
${paths(pal)
  .map(
    ([path, command]) =>
      `    '${path}') COMPREPLY=($(compgen -W '${candidates(command, pal).join(' ')}'${namesWords(command.names)} -- "$current")) ;;`,
  )
  .join('\n')}
  esac
}
complete -o default -F _pal pal
`;
}

/** The words are expanded once more by compgen, which is why `pal complete` gives only those in which nothing expands. */
function namesWords(names: NameKind | null): string {
  return names === null ? '' : `" $(pal complete ${names} 2>/dev/null)"`;
}

function candidates(command: CommandWords, pal: CommandWords): readonly string[] {
  const options = [...command.options, ...(command === pal ? [] : pal.options)];
  return [...command.commands.map(({ name }) => name), ...command.choices, ...options.flatMap(flagsOf), '--help'];
}

function valueCase(path: string, option: OptionWords): readonly string[] {
  const reply = replyFor(option);
  if (reply === null) return [];
  const pattern = flagsOf(option)
    .map((flag) => `${path}:${flag}`)
    .join('|');
  return [`    ${pattern}) ${reply} return ;;`];
}

function replyFor({ takes }: OptionWords): string | null {
  switch (takes) {
    case 'nothing':
      return null;
    case 'folder':
      return 'compopt -o dirnames +o default 2>/dev/null;';
    case 'file':
      return '';
    case 'text':
      return 'compopt +o default 2>/dev/null;';
    default:
      if ('names' in takes) return `COMPREPLY=($(compgen -W ${namesWords(takes.names)} -- "$current"));`;
      return `COMPREPLY=($(compgen -W '${takes.join(' ')}' -- "$current"));`;
  }
}
