import { type Command, InvalidArgumentError, Option } from 'commander';
import { requestSteps } from '../../lines/run-steps.js';
import type { PlannedRun, RequestedStep, RunKind, StepOption, StepValues } from '../../lines/step.js';
import { steps } from '../../lines/steps.js';
import type { Options } from './output.js';

/** `newCounts` → `--new-counts`. */
export const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export function stepFlags(name: string, { shape, value, help, repeats, negation }: StepOption): Option[] {
  const off = negation === undefined ? [] : [new Option(flagOf(`no-${name}`), negation)];
  if (value === undefined) return [new Option(flagOf(name), help), ...off];
  const flag = new Option(`${flagOf(name)} <${value}>`, help).argParser((text, before: unknown) => {
    const { data, error } = shape().safeParse(text);
    if (error !== undefined)
      throw new InvalidArgumentError(error.issues.map(({ message }) => message).join(' '));
    return repeats === true ? [...((before as readonly unknown[] | undefined) ?? []), data] : data;
  });
  return [flag, ...off];
}

/** Adds the flags of the steps available here. Other steps' flags are hidden, and rejected with an explanation. */
export function addStepOptions(command: Command, kind: RunKind): Command {
  command.optionsGroup('Results:');
  for (const { kinds, options } of steps) {
    const isHidden = !kinds.includes(kind);
    for (const [name, option] of Object.entries(options))
      for (const flag of stepFlags(name, option)) command.addOption(flag.hideHelp(isHidden));
  }
  return command;
}

export const stepValuesOf = (options: Options): StepValues =>
  Object.fromEntries(
    steps.flatMap(({ options: table }) =>
      Object.keys(table).flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
    ),
  );

/** Returns the requested steps. Throws a usage error, or the error of a step that rejects them. */
export const requestedSteps = (
  values: StepValues,
  run: Omit<PlannedRun, 'isForeign' | 'nameOf'>,
): Promise<readonly RequestedStep[]> => requestSteps(values, { ...run, isForeign: false, nameOf: flagOf });
