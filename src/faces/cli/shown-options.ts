import type { Command } from 'commander';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The options that the help of a command shows; `--help --all` shows all of them. */
const shownOf: Readonly<Record<string, ReadonlySet<string>>> = {
  batch: words(
    'output overwrite map set all media new when notify fresh demo dry-run then resume retry-failed',
  ),
  watch: words('every once install write output map set all new when media notify append webhook demo'),
  cover: words('query bbox polygon around radius cell output resume overwrite append new demo dry-run'),
  grid: words('query place size spacing output append resume overwrite demo dry-run'),
};
const ofEndpoint = words('all output demo json fields format fresh new');

/** Options of commands that return data, which few people need. */
const rareOptions = words('csv-raw csv-excel quiet no-color');

/** Maximum options in an endpoint's help, besides its parameters. */
const maxOfEndpoint = 10;

type Options = Command['options'];

function chosenOf(name: string, options: Options, params: readonly string[] | null): Options {
  const optionsOf = (names: Iterable<string>) =>
    [...names].flatMap((one) => options.find((option) => option.name() === one) ?? []);
  if (params !== null) {
    const rare = words('sources cursor fresh demo');
    const ofCommand = options.filter((option) => params.includes(option.name()) && !rare.has(option.name()));
    return [...ofCommand, ...optionsOf(ofEndpoint)].slice(0, maxOfEndpoint);
  }
  const frequent = shownOf[name];
  if (frequent !== undefined) return optionsOf(frequent);
  return options.filter((option) => !rareOptions.has(option.name()));
}

/**
 * Hides rare options, unless help is shown with `--all`. `params`: the parameters of an endpoint's command. Returns how
 * many.
 */
export function hideRareOptions(command: Command, params: readonly string[] | null): number {
  const options = command.options.filter(({ hidden }) => !hidden);
  const frequent = chosenOf(command.name(), options, params);
  const more = options.filter((option) => !frequent.includes(option));
  for (const option of more) option.hideHelp();
  return more.length;
}
