import type { GridTitle } from '../../../files/grid/grid-page.js';
import type { GridReport, RankedPoint } from '../../../files/grid/ranks.js';
import type { OutputStream } from '../context.js';
import { printable } from '../printable.js';
import { wrapText } from '../terminal-text.js';

/** Formats a rank in four columns: “?” if the search failed, “·” if the place is not listed. */
const cellText = ({ rank, error }: RankedPoint) => (error !== null ? '?' : String(rank ?? '·')).padStart(4);

/** Formats a grid for a terminal: the ranks at their positions, and the totals. */
export async function reportText(
  { points, place, answered, competitors }: GridReport,
  title: GridTitle,
  stream: OutputStream,
): Promise<string> {
  const wrap = (text: string, indent?: number) => wrapText(printable(text), stream, indent);
  const rows = Array.from({ length: title.size }, (_, row) =>
    points
      .slice(row * title.size, (row + 1) * title.size)
      .map(cellText)
      .join(''),
  );
  const share = place.top3_share === null ? 'unknown' : `${Math.round(place.top3_share * 100)}%`;
  const average = place.average_rank === null ? 'none' : place.average_rank.toFixed(1);
  const others = await Promise.all(
    competitors.slice(0, 5).map(async ({ name, top3_share }) => {
      const head = `  ${Math.round((top3_share ?? 0) * 100)}%  `;
      return `${head}${await wrap(name, head.length)}`;
    }),
  );
  return [
    await wrap(`${place.name}: ranks for “${title.query}”${title.isSample ? ' (sample data)' : ''}`),
    ...rows,
    await wrap(
      `In the top three at ${share} of ${answered} points. Listed at ${place.points}, average rank there: ${average}.`,
    ),
    ...(others.length === 0 ? [] : ['Others in the top three:', ...others]),
    '',
  ].join('\n');
}
