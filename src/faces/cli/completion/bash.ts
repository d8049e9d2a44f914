import type { CompletionCommand, CompletionOption } from './words.js';

const key = (path: readonly string[]) => path.join(' ');

function valueCase(path: readonly string[], { names, takes }: CompletionOption): string[] {
  if (takes === null) return [];
  const patterns = names.map((name) => `'${key(path)}|${name}'`).join('|');
  if (takes.directory || takes.file)
    return [`    ${patterns}) _extract_files -${takes.directory ? 'd' : 'f'} "$cur"; return ;;`];
  const words = takes.words.join(' ');
  return [`    ${patterns}) COMPREPLY=($(compgen -W '${words}' -- "$cur")); return ;;`];
}

function wordCase({ path, commands, options, words, takesFiles }: CompletionCommand): string {
  const plain = [...commands.map(({ name }) => name), ...words].join(' ');
  const dashed = options.flatMap(({ names }) => names.filter((name) => name.startsWith('--'))).join(' ');
  return `    '${key(path)}') plain='${plain}' dashed='${dashed}' files='${takesFiles ? 'yes' : ''}' ;;`;
}

/** Returns the bash script: a function that finds the command typed so far and offers the next words. */
export function bashScript(commands: readonly CompletionCommand[]): string {
  const groups = commands.filter(({ path }) => path.length > 0).map(({ path }) => `'${key(path)}'`);
  return `# bash completion of extract: source it, or put it where bash-completion looks.
_extract_files() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$2"))
}
_extract() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path='' word plain dashed files
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${groups.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path|$prev" in
${commands.flatMap(({ path, options }) => options.flatMap((option) => valueCase(path, option))).join('\n')}
  esac
  case "$path" in
${commands.map(wordCase).join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$dashed" -- "$cur")) ;;
    *)
      COMPREPLY=($(compgen -W "$plain" -- "$cur"))
      if [ -n "$files" ]; then
        for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case " $plain " in *" $word "*) COMPREPLY=() ;; esac
        done
        if [ \${#COMPREPLY[@]} -eq 0 ]; then _extract_files -f "$cur"; fi
      fi ;;
  esac
}
complete -F _extract extract
`;
}
