import type { Argument, Option } from 'commander';

const sentence = (text: string) => (text === '' || /[.?!]$/.test(text) ? text : `${text}.`);

/** Capitalises a text, except ids such as `job_…`. */
const capital = (text: string) => (/^\w+_/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** More choices than this, such as all endpoints, are not listed. */
const maxChoices = 14;

interface Described {
  readonly description: string;
  readonly argChoices?: readonly string[] | undefined;
  readonly defaultValue?: unknown;
  readonly defaultValueDescription?: string | undefined;
}

/** Returns the meaning of a parameter, its choices and its default. */
function described({ description, argChoices, defaultValue, defaultValueDescription }: Described): string {
  const more = [
    ...(argChoices === undefined || argChoices.length > maxChoices
      ? []
      : [`Choices: ${argChoices.join(', ')}.`]),
    ...(defaultValueDescription === undefined &&
    (defaultValue === undefined || typeof defaultValue === 'boolean' || Array.isArray(defaultValue))
      ? []
      : [`Default: ${defaultValueDescription ?? String(defaultValue)}.`]),
  ];
  const text = capital(description);
  return more.length === 0 ? text : [sentence(text), ...more].join(' ').trim();
}

/** Formats help in our style: `Choices: a, b. Default: a.` */
export const helpTexts = {
  optionDescription: (option: Option) => described(option as Described),
  argumentDescription: (argument: Argument) => described(argument as unknown as Described),
};
