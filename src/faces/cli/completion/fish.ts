import type { CompletionCommand, CompletionOption } from './words.js';

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function optionLine(condition: string, { names, meaning, takes }: CompletionOption): string {
  const spelled = names.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  const value =
    takes === null
      ? []
      : takes.directory
        ? ["-x -a '(__fish_complete_directories)'"]
        : takes.file
          ? ['-r -F']
          : [`-x${takes.words.length === 0 ? '' : ` -a ${quoted(takes.words.join(' '))}`}`];
  return ['complete -c extract', condition, ...spelled, ...value, `-d ${quoted(meaning)}`].join(' ');
}

function lines({ path, commands, options, words, takesFiles }: CompletionCommand): string[] {
  const condition = `-n ${quoted(`__extract_at ${path.join(' ')}`.trim())}`;
  return [
    ...commands.map(
      ({ name, meaning }) => `complete -c extract ${condition} -a ${name} -d ${quoted(meaning)}`,
    ),
    ...(words.length === 0 ? [] : [`complete -c extract ${condition} -a ${quoted(words.join(' '))}`]),
    ...(takesFiles ? [`complete -c extract ${condition} -F`] : []),
    ...options.map((option) => optionLine(condition, option)),
  ];
}

/** Returns the fish script: a line for each possible next word, conditional on the command typed so far. */
export function fishScript(commands: readonly CompletionCommand[]): string {
  const groups = commands.filter(({ path }) => path.length > 0).map(({ path }) => quoted(path.join(' ')));
  return `# fish completion of extract: put it into ~/.config/fish/completions/extract.fish
function __extract_at
    set -l path
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if contains -- (string join -- ' ' $path $word) ${groups.join(' ')}
            set -a path $word
        end
    end
    test "$path" = "$argv"
end
complete -c extract -f
${commands.flatMap(lines).join('\n')}
`;
}
