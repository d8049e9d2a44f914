import type { MapsPlace } from '../../../../lib/platforms/maps/objects.js';
import type { GridTitle } from '../../../files/grid/grid-page.js';
import type { GridReport, PointAnswer } from '../../../files/grid/ranks.js';
import { type AnswerLine, answerOfLine } from '../../../files/result-files/answer-lines.js';

export type GridKind = 'html' | 'csv' | 'geojson';

/** Returns the answers of the searches from the lines of their batch, in the order of the points. */
export function answersOf(lines: readonly AnswerLine[]): PointAnswer[] {
  const answers: PointAnswer[] = [];
  for (const [position, line] of lines.entries()) {
    const { index, items, sources, error } = answerOfLine(line, true, position);
    answers[index] =
      error === null
        ? { places: items as readonly MapsPlace[], error: null, fetchedAt: sources?.[0]?.fetched_at ?? null }
        : { places: null, error: error.code, fetchedAt: null };
  }
  return answers;
}

/** Formats a grid as a file; `before` is the table to append to. */
export async function gridText(
  kind: GridKind,
  report: GridReport,
  title: GridTitle,
  { run, before }: { readonly run: string; readonly before: string },
): Promise<string> {
  if (kind === 'html') return (await import('../../../files/grid/grid-page.js')).gridPage(report, title);
  const { gridCsv, gridGeoJson } = await import('../../../files/grid/grid-tables.js');
  return kind === 'csv'
    ? gridCsv(report, { run, query: title.query }, before)
    : gridGeoJson(report, { ...title });
}
