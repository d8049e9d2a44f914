import type { Endpoint } from '../../lib/endpoint.js';
import { fieldNames } from '../output/selection.js';
import { examplesOf } from './examples.js';

function lifetime(seconds: number): string {
  return seconds % 3600 === 0 ? `${seconds / 3600} hours` : `${seconds} seconds`;
}

/** What stands above the options of an endpoint's help: what it gives, from where, at what price. */
export function introduction({ summary, description, credits, cacheSeconds }: Endpoint): string {
  const price = `Costs ${credits} credits; an answer is kept for ${lifetime(cacheSeconds)}.`;
  return `${summary}.\n\n${description}\n\n${price}`;
}

/** What stands below them: the fields of what it answers, and examples that work. */
export async function afterword(endpoint: Endpoint, wrap: (text: string) => string): Promise<string> {
  const examples = await examplesOf(endpoint);
  const top = fieldNames(endpoint.returns).filter((name) => !name.includes('.'));
  const lines = examples.map(({ command, meaning }) => `  # ${meaning}\n  ${command}`);
  return `\n${wrap(`Fields: ${top.join(', ')}`)}\n\nExamples:\n${lines.join('\n')}`;
}
