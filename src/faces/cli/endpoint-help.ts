import type { Endpoint } from '../../../lib/endpoint.js';
import { casesOf } from '../../../lib/samples.js';
import { identifyingParams, paramOfArgument } from '../../output/plain-argument.js';
import { fieldNames } from '../../output/selection.js';
import { kebabCase, shellQuoted } from '../../output/shell-words.js';

/** An example that works as typed, and what it does. */
export interface Example {
  readonly command: string;
  readonly meaning: string;
}

/** Returns examples that use sample data, so that each can be tried immediately. */
export async function examplesOf(endpoint: Endpoint): Promise<Example[]> {
  const [sample] = await casesOf(endpoint);
  const name = identifyingParams(endpoint).find((param) => sample?.params[param] !== undefined);
  if (sample === undefined || name === undefined) return [];
  const value = String(sample.params[name]);
  const plain = !value.startsWith('-') && paramOfArgument(endpoint, value) === name;
  const words = [
    ...endpoint.path.split('/'),
    plain ? shellQuoted(value) : `--${kebabCase(name)} ${shellQuoted(value)}`,
  ];
  const command = `extract ${words.join(' ')} --demo`;
  const fields = fieldNames(endpoint.returns).slice(0, 2).join(',');
  return [
    { command, meaning: 'sample data, without a network' },
    { command: `${command} --json`, meaning: 'the answer in its envelope, on one line' },
    endpoint.page === null
      ? { command: `${command} --fields ${fields}`, meaning: 'two fields of it' }
      : { command: `${command} --all --format csv --fields ${fields}`, meaning: 'every page, two columns' },
  ];
}

function lifetime(seconds: number): string {
  return seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds} s`;
}

/**
 * Returns the text above the options: what the endpoint returns and where from, and with `priced` its price on a
 * server.
 */
export function introduction(
  { summary, description, credits, cacheSeconds }: Endpoint,
  priced: boolean,
): string {
  const price = priced ? ` On a server a call costs ${credits} credits.` : '';
  return `${summary}.\n\n${description}\n\nAnswers are cached for ${lifetime(cacheSeconds)}.${price}`;
}

/** Returns the text below the options: the fields of an answer, and examples. */
export async function afterword(endpoint: Endpoint, wrap: (text: string) => string): Promise<string> {
  const examples = await examplesOf(endpoint);
  const top = fieldNames(endpoint.returns).filter((name) => !name.includes('.'));
  const lines = examples.map(({ command, meaning }) => `  # ${meaning}\n  ${command}`);
  return `\n${wrap(`Fields: ${top.join(', ')}`)}\n\nExamples:\n${lines.join('\n')}`;
}
