import { quantity } from '../../output/number-text.js';
import type { OutputStream } from './context.js';
import { colorText, wrapText } from './terminal-text.js';

interface ListedEndpoint {
  readonly endpoint: string;
  readonly summary: string;
  readonly credits: number;
  readonly parameters: readonly string[];
}

/** Formats endpoints for people: summary, price if `priced`, and parameters, wrapped at the terminal's width. */
export async function endpointLines(
  rows: readonly ListedEndpoint[],
  stdout: OutputStream,
  color: boolean,
  priced: boolean,
): Promise<string> {
  const width = Math.max(...rows.map(({ endpoint }) => endpoint.length));
  const indent = width + 2;
  const texts = rows.map(async ({ endpoint, summary, credits, parameters }) => {
    const about = priced ? `${summary} (${quantity(credits, 'credit')})` : summary;
    const names = await wrapText(parameters.join(', '), stdout, indent);
    const lines = names.split('\n').map((line) => colorText('dim', line, color));
    const head = `${colorText('bold', endpoint.padEnd(width), color)}  ${await wrapText(about, stdout, indent)}`;
    return `${head}\n${' '.repeat(indent)}${lines.join('\n')}\n`;
  });
  return (await Promise.all(texts)).join('');
}
