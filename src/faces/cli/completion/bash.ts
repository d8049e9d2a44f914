import type { CompletionCommand, CompletionOption } from './words.js';

const key = (path: readonly string[]) => path.join(' ');

function valueCase(path: readonly string[], { names, takes }: CompletionOption): string[] {
  if (takes === null) return [];
  const patterns = names.map((name) => `'${key(path)}|${name}'`).join('|');
  if (takes.directory)
    return [
      `    ${patterns}) compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -d -- "$cur")); return ;;`,
    ];
  const words = takes.words.join(' ');
  return [`    ${patterns}) COMPREPLY=($(compgen -W '${words}' -- "$cur")); return ;;`];
}

function wordCase({ path, commands, options, words }: CompletionCommand): string {
  const plain = [...commands.map(({ name }) => name), ...words].join(' ');
  const dashed = options.flatMap(({ names }) => names.filter((name) => name.startsWith('--'))).join(' ');
  return `    '${key(path)}') plain='${plain}' dashed='${dashed}' ;;`;
}

/** Bash: a function that finds the command typed so far and offers what can follow it. */
export function bashScript(commands: readonly CompletionCommand[]): string {
  const groups = commands.filter(({ path }) => path.length > 0).map(({ path }) => `'${key(path)}'`);
  return `# bash completion of extract: source it, or put it where bash-completion looks.
_extract() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path='' word plain dashed
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
    *) COMPREPLY=($(compgen -W "$plain" -- "$cur")) ;;
  esac
}
complete -F _extract extract
`;
}
