import type { Command } from 'commander';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The options that the help of a command shows; `--help --all` shows all of them. */
const shownOf: Readonly<Record<string, ReadonlySet<string>>> = {
  batch: words(
    'output overwrite map set all media new when notify fresh demo dry-run then resume retry-failed',
  ),
  cover: words('query bbox polygon around radius cell output resume overwrite append new demo dry-run'),
  grid: words('query place size spacing output append resume overwrite demo dry-run'),
};
const ofEndpoint = words('all output demo json fields format fresh new');

/** Options of commands that return data, which few people need. */
const rareOptions = words('csv-raw csv-excel quiet no-color');

/** Maximum options in an endpoint's help, besides its parameters. */
const maxOfEndpoint = 10;

type Options = Command['options'];

function chosenOf(name: string, shown: Options, params: readonly string[] | null): Options {
  const named = (wanted: Iterable<string>) =>
    [...wanted].flatMap((one) => shown.find((option) => option.name() === one) ?? []);
  if (params !== null) {
    const rare = words('sources cursor fresh demo');
    const own = shown.filter((option) => params.includes(option.name()) && !rare.has(option.name()));
    return [...own, ...named(ofEndpoint)].slice(0, maxOfEndpoint);
  }
  const wanted = shownOf[name === 'watch' ? 'batch' : name];
  if (wanted !== undefined) return named(wanted);
  return shown.filter((option) => !rareOptions.has(option.name()));
}

/**
 * Hides rare options, unless help is shown with `--all`. `params`: the parameters of an endpoint's command. Returns how
 * many.
 */
export function hideRareOptions(command: Command, params: readonly string[] | null): number {
  const shown = command.options.filter(({ hidden }) => !hidden);
  const chosen = chosenOf(command.name(), shown, params);
  const more = shown.filter((option) => !chosen.includes(option));
  for (const option of more) option.hideHelp();
  return more.length;
}
