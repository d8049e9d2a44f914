import type { Finding } from '../doctor/finding.js';
import type { OutputStream } from './context.js';
import { printable } from './printable.js';
import { colorText, wrapText } from './terminal-text.js';

const styles = { ok: 'green', warning: 'yellow', failed: ['bold', 'red'] } as const;

/** Width of the status column. */
const statusWidth = 9;
/** Minimum width of the messages; on a narrower terminal a message follows its check's name. */
const minColumn = 40;

/** “17 ok, 1 warning, 4 failed” */
function countText(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((one) => one.status === status).length;
  const [warnings, failures] = [count('warning'), count('failed')];
  return [
    `${count('ok')} ok`,
    ...(warnings === 0 ? [] : [warnings === 1 ? '1 warning' : `${warnings} warnings`]),
    ...(failures === 0 ? [] : [`${failures} failed`]),
  ].join(', ');
}

/** Formats the findings for people. Shared advice is shown once, after the last finding that has it. */
export async function findingLines(
  findings: readonly Finding[],
  stdout: OutputStream,
  color: boolean,
): Promise<string> {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const isNarrow = stdout.columns !== undefined && stdout.columns < width + statusWidth + 2 + minColumn;
  const indent = isNarrow ? statusWidth : width + statusWidth + 2;
  const texts = findings.map(async ({ check, status, message, next }, at) => {
    const word = colorText([...[styles[status]].flat()], status.padEnd(statusWidth - 2), color);
    const head = isNarrow ? `${word}  ` : `${word}  ${check.padEnd(width)}  `;
    const text = printable(isNarrow ? `${check}: ${message}` : message);
    const isSaidLater = next !== null && findings.slice(at + 1).some((later) => later.next === next);
    const advice = next === null || isSaidLater ? [] : [colorText('dim', printable(next), color)];
    const lines = await wrapText([text, ...advice].join('\n'), stdout, indent);
    return `${head}${lines}\n`;
  });
  return `${(await Promise.all(texts)).join('')}${countText(findings)}\n`;
}
