import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Endpoint } from '../../../lib/endpoint.js';
import { requestSteps } from '../../lines/run-steps.js';
import type { Place, RequestedStep, StepOption, StepValues } from '../../lines/step.js';
import { steps } from '../../lines/steps.js';
import type { Options } from './output.js';

const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function toOption(name: string, { shape, value, help }: StepOption): Option {
  if (value === undefined) return new Option(flagOf(name), help);
  return new Option(`${flagOf(name)} <${value}>`, help).argParser((text) => {
    const { data, error } = shape.safeParse(text);
    if (error === undefined) return data;
    throw new InvalidArgumentError(error.issues.map(({ message }) => message).join(' '));
  });
}

/** Adds the flags of the steps of a place. */
export function addStepOptions(command: Command, place: Place): Command {
  for (const { places, options } of steps) {
    if (!places.includes(place)) continue;
    for (const [name, option] of Object.entries(options)) command.addOption(toOption(name, option));
  }
  return command;
}

/** The values of these flags. */
export const stepValuesOf = (options: Options): StepValues =>
  Object.fromEntries(
    steps.flatMap(({ options: table }) =>
      Object.keys(table).flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
    ),
  );

/** The steps that a command line requests. Throws a usage error or what a step refuses. */
export const requestedSteps = (values: StepValues, endpoint: Endpoint): Promise<readonly RequestedStep[]> =>
  requestSteps(values, { endpoint, isForeign: false, nameOf: flagOf });
