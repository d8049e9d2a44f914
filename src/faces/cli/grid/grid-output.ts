import { open, rm } from 'node:fs/promises';
import type { MapsPlace } from '../../../../lib/platforms/maps/objects.js';
import { moveFile } from '../../../../lib/runtime/move-file.js';
import { openFault, writeFault } from '../../../files/batch-files/output-fault.js';
import type { GridTitle } from '../../../files/grid/grid-page.js';
import type { GridReport, PointAnswer } from '../../../files/grid/ranks.js';
import { answerOfLine } from '../../../files/result-files/answer-lines.js';

/** The kinds of file that a grid is written as. */
export type GridKind = 'html' | 'csv' | 'geojson';

/** The answers of a grid's searches, in the order of its points, from the lines of their batch. */
export function answersOf(lines: readonly string[]): PointAnswer[] {
  const answers: PointAnswer[] = [];
  for (const [place, line] of lines.entries()) {
    const { index, items, sources, error } = answerOfLine(line, true, place);
    answers[index] =
      error === null
        ? { places: items as readonly MapsPlace[], error: null, fetchedAt: sources?.[0]?.fetched_at ?? null }
        : { places: null, error: error.code, fetchedAt: null };
  }
  return answers;
}

/** A grid as the text of a file. */
export async function gridText(kind: GridKind, report: GridReport, title: GridTitle): Promise<string> {
  if (kind === 'html') return (await import('../../../files/grid/grid-page.js')).gridPage(report, title);
  const { gridCsv, gridGeoJson } = await import('../../../files/grid/grid-tables.js');
  return kind === 'csv' ? gridCsv(report) : gridGeoJson(report, { ...title });
}

/** Writes a whole file, or leaves what was there. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'w').catch((cause: unknown) => {
    throw openFault(file, cause);
  });
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (cause) {
    await rm(draft, { force: true });
    throw writeFault(cause);
  } finally {
    await handle.close();
  }
  await moveFile(draft, file);
}
