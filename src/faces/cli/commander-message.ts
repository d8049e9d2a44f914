import { suggestBefore } from '../../../lib/runtime/nearest-words.js';

/** `--limit` of `-l, --limit <number>`. */
const nameOf = (flags: string) => flags.match(/--[\w-]+/)?.[0] ?? flags;

/** Describes the allowed values, with the nearest choice. */
function rule(value: string, text: string): string {
  const choices = /^Allowed choices are (.*)\.$/.exec(text)?.[1];
  if (choices === undefined) return text;
  return suggestBefore(value, choices.split(', '), `Choose from ${choices}.`);
}

/** Patterns of commander's messages, and their replacements. */
const texts: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^unknown option '(.*)'$/, (name) => `Unknown option ${name}.`],
  [/^missing required argument '(.*)'$/, (name) => `Missing argument <${name}>.`],
  [/^option '(.*)' argument missing$/, (flags) => `${nameOf(flags)} needs a value.`],
  [/^required option '(.*)' not specified$/, (flags) => `The option ${flags} is required.`],
  [
    /^option '([^']*)' argument '(.*)' is invalid\. ?(.*)$/s,
    (flags, value, text) => `${nameOf(flags)} cannot be ${JSON.stringify(value)}. ${rule(value, text)}`,
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '([^']*)'\. ?(.*)$/s,
    (value, name, text) => `<${name}> cannot be ${JSON.stringify(value)}. ${rule(value, text)}`,
  ],
  [
    /^option '([^']*)' cannot be used with option '([^']*)'$/,
    (one, other) => `${nameOf(one)} and ${nameOf(other)} cannot be combined.`,
  ],
  [
    /^too many arguments(?: for '[^']*')?\. Expected \d+ arguments? but got \d+: (.*)\.$/s,
    (args) => `Too many arguments: ${args}.`,
  ],
];

/** Rewords a message of commander in our style; its suggestion stays. */
export function commanderMessage(message: string): string {
  const [, text = message, hint = ''] = /^(?:error: )?([\s\S]*?)(?:\n\((.*)\))?$/.exec(message) ?? [];
  for (const [pattern, words] of texts) {
    const match = pattern.exec(text);
    if (match !== null) return `${words(...match.slice(1))} ${hint}`.trim();
  }
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[^.?!]$/, '$&.');
  return `${sentence} ${hint}`.trim();
}
