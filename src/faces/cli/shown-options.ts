import type { Command } from 'commander';

/** The options that `batch --help` shows; `--help --all` shows all of them. */
const ofBatch: ReadonlySet<string> = new Set(
  'output overwrite map set all media new when notify fresh demo dry-run then resume retry-failed'.split(' '),
);
const ofEndpoint: ReadonlySet<string> = new Set('all output demo json fields format fresh new'.split(' '));

/** Maximum options in an endpoint's help, besides its parameters. */
const maxOfEndpoint = 10;

/** Hides rare options, unless help is shown with `--all`. Returns how many. */
export function hideRareOptions(command: Command, params: readonly string[] | null): number {
  const shown = command.options.filter(({ hidden }) => !hidden);
  const own = new Set(params ?? []);
  const rare = new Set(['sources', 'cursor', 'fresh', 'demo']);
  const isParam = (name: string) => own.has(name) && !rare.has(name);
  const wanted = params === null ? ofBatch : ofEndpoint;
  const room = params === null ? ofBatch.size : maxOfEndpoint;
  const chosen = [
    ...shown.filter((option) => isParam(option.name())),
    ...[...wanted].flatMap((name) => shown.find((option) => option.name() === name) ?? []),
  ].slice(0, room);
  const more = shown.filter((option) => !chosen.includes(option));
  for (const option of more) option.hideHelp();
  return more.length;
}
