import type { CompletionCommand, CompletionOption } from './words.js';

const quote = (text: string) => text.replaceAll("'", `'\\''`);
const described = (name: string, meaning: string) =>
  `'${quote(`${name.replaceAll(':', '\\:')}:${meaning}`)}'`;

function valueCase(path: readonly string[], { names, takes }: CompletionOption): string[] {
  if (takes === null) return [];
  const patterns = names.map((name) => `'${path.join(' ')}|${name}'`).join('|');
  if (takes.file) return [`    (${patterns}) _files; return ;;`];
  if (takes.directory) return [`    (${patterns}) _files -/; return ;;`];
  if (takes.words.length === 0) return [`    (${patterns}) _message value; return ;;`];
  return [`    (${patterns}) compadd -- ${takes.words.join(' ')}; return ;;`];
}

function wordCase({ path, commands, options, words, takesFiles }: CompletionCommand): string {
  const plain = [
    ...commands.map(({ name, meaning }) => described(name, meaning)),
    ...words.map((word) => described(word, '')),
  ];
  const dashed = options.flatMap(({ names, meaning }) =>
    names.filter((name) => name.startsWith('--')).map((name) => described(name, meaning)),
  );
  return `    ('${path.join(' ')}')
      plain=(${plain.join(' ')})
      dashed=(${dashed.join(' ')})
      names=(${words.map((word) => `'${quote(word)}'`).join(' ')})
      files=${takesFiles ? 1 : 0} ;;`;
}

/**
 * Returns the zsh script: a function that finds the command typed so far and offers the next words with their meaning.
 */
export function zshScript(commands: readonly CompletionCommand[]): string {
  const groups = commands.filter(({ path }) => path.length > 0).map(({ path }) => `'${path.join(' ')}'`);
  return `#compdef extract
# zsh completion of extract: source it, or put it into a directory of $fpath as _extract.
_extract() {
  local cur="\${words[CURRENT]}" prev="\${words[CURRENT-1]}" path_so_far='' word
  local -a plain dashed names typed
  local files=0
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${path_so_far:+$path_so_far }$word" in
      (${groups.join('|')}) path_so_far="\${path_so_far:+$path_so_far }$word" ;;
    esac
  done
  case "$path_so_far|$prev" in
${commands.flatMap(({ path, options }) => options.flatMap((option) => valueCase(path, option))).join('\n')}
  esac
  case "$path_so_far" in
${commands.map(wordCase).join('\n')}
  esac
  typed=("\${(@)words[2,CURRENT-1]}")
  typed=(\${names:*typed})
  if [[ "$cur" == -* ]]; then
    _describe option dashed
  elif (( files && ( ! \${#names} || \${#typed} ) )); then
    _files
  elif (( \${#plain} )); then
    _describe command plain || (( ! files )) || _files
  fi
}
if [[ "\${funcstack[1]}" == _extract ]]; then
  _extract "$@"
else
  compdef _extract extract
fi
`;
}
