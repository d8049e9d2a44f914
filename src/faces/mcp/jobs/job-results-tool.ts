import * as z from 'zod';
import { integer, text } from '../../../../lib/params/vocabulary.js';
import type { Job } from '../../../service/jobs/job.js';
import { maxInputs } from '../../../service/jobs/job-limits.js';
import { describeTool } from '../describe-tool.js';
import { lineView, type ResultLine, resultLine, resultLines, showLines } from './result-lines.js';
import { pathOf } from './server-api.js';
import { serverTool } from './server-tool.js';

const results = z.strictObject({
  status: z.enum(['queued', 'running', 'done', 'cancelled']).describe('State of the job.'),
  total: z.int().min(1).describe('Number of inputs, and of lines in the end.'),
  lines: z.array(resultLine).describe('One line per input, in order.'),
  next_from: z.int().min(0).nullable().describe('Pass it as from for the next lines; null after the last.'),
});

const { definition, parse } = describeTool({
  name: 'job_results',
  title: 'The results of a job',
  description:
    'Lines of a job in the order of its inputs, as far as they are ready: input with data or error. Free. next_from begins the next page.',
  params: {
    id: text('ID of the job, job_….'),
    from: integer(0, maxInputs, 'Start with the line of this input.').default(0),
    limit: integer(1, 100, 'Lines at most.').default(20),
  },
  data: results,
  hasView: true,
});

/** Reads the lines of a job, page by page. */
export const jobResultsTool = serverTool(definition, async (args, server, { signal }) => {
  const { id, from, limit } = parse(args);
  const job = (await server.get(pathOf('jobs', id), {}, signal)).data as Job;
  const view = lineView(job.endpoint, args);
  const lines: ResultLine[] = [];
  for await (const line of resultLines(server, id, from, signal)) {
    lines.push(line);
    if (lines.length === limit) break;
  }
  const { shownLines, notes } = showLines(lines, view);
  const next = from + shownLines.length;
  const isLast = next >= job.total;
  const isWaiting = !isLast && lines.length < limit && shownLines.length === lines.length;
  return {
    demo: false,
    notes: [...notes, ...(isWaiting ? ['The lines after these are not ready yet.'] : [])],
    data: {
      ...{ status: job.status, total: job.total, lines: shownLines },
      next_from: isLast ? null : next,
    } as z.output<typeof results>,
  };
});
