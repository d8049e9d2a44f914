import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { integer, text } from '../../../../lib/params/vocabulary.js';
import type { Schedule } from '../../../service/jobs/schedules/schedule.js';
import type { RunPage } from '../../../service/jobs/schedules/schedule-runs.js';
import { describeTool } from '../describe-tool.js';
import { lineView, type ResultLine, resultLine, resultLines, showLines } from './result-lines.js';
import { pathOf, type ServerApi } from './server-api.js';
import { serverTool } from './server-tool.js';

const news = z.strictObject({
  runs: z
    .array(
      z.strictObject({
        at: z.iso.datetime().describe('When it ran.'),
        job: z.string().nullable().describe('Its job; null if it could not create one.'),
        error: z.string().nullable().describe('Why it could not.'),
      }),
    )
    .describe('The runs since then, newest first.'),
  lines: z
    .array(resultLine.extend({ job: z.string().describe('The job that gave it.') }))
    .describe('What they gave that is new, of the newest run first.'),
  rest: z
    .array(z.strictObject({ job: z.string(), from: z.int().min(0) }))
    .describe('What did not fit: where job_results continues.'),
});

type News = z.output<typeof news>;

/** Runs that are looked at, the newest; each is a request. */
const maxRuns = 20;

function timeOf(since: string | undefined): number | undefined {
  if (since === undefined) return undefined;
  const time = z.iso.datetime({ offset: true }).or(z.iso.date()).safeParse(since).success
    ? Date.parse(since)
    : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new ExtractError(
    'invalid_parameter',
    'The parameter since must be an ISO 8601 time such as 2026-11-01T00:00:00Z.',
  );
}

const isNews = ({ data }: ResultLine) =>
  data !== undefined && data !== null && !(Array.isArray(data) && data.length === 0);

type JobLine = ResultLine & { readonly job: string };

/** Lines with something in them, of the jobs in their order, and where to go on. */
async function collectNews(
  server: ServerApi,
  jobs: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly lines: JobLine[]; readonly rest: News['rest']; readonly expired: readonly string[] }> {
  const lines: JobLine[] = [];
  const rest: News['rest'] = [];
  const expired: string[] = [];
  for (const job of jobs) {
    try {
      for await (const line of resultLines(server, job, 0, signal)) {
        if (lines.length === limit) {
          rest.push({ job, from: line.line });
          break;
        }
        if (isNews(line)) lines.push({ job, ...line });
      }
    } catch (error) {
      if (!(error instanceof ExtractError) || error.code !== 'results_expired') throw error;
      expired.push(job);
    }
  }
  return { lines, rest, expired };
}

const { definition, parse } = describeTool({
  name: 'whats_new',
  title: 'What a schedule found',
  description:
    'What the runs of a schedule found since a time; with new on its job, only what no earlier run gave. Free.',
  params: {
    schedule: text('ID of the schedule, sched_….'),
    since: text('ISO 8601 time; the latest run alone when left out.').optional(),
    limit: integer(1, 100, 'Lines at most.').default(20),
  },
  data: news,
  hasView: true,
});

/** The tool that says what the runs of a schedule found. */
export const whatsNewTool = serverTool(definition, async (args, server, { signal }) => {
  const { schedule: id, since, limit } = parse(args);
  const time = timeOf(since);
  const schedule = (await server.get(pathOf('schedules', id), {}, signal)).data as Schedule;
  const view = lineView(schedule.endpoint, args);
  const count = time === undefined ? 1 : maxRuns + 1;
  const page = await server.get(pathOf('schedules', id, '/runs'), { limit: String(count) }, signal);
  const found = (page.data as RunPage['runs']).filter(
    ({ at }) => time === undefined || Date.parse(at) >= time,
  );
  const runs = found.slice(0, maxRuns);
  const jobs = runs.flatMap(({ job }) => job ?? []);
  const { lines, rest, expired } = await collectNews(server, jobs, limit, signal);
  const { shown, notes } = showLines(lines, view);
  const [first] = lines.slice(shown.length);
  const unshown = first === undefined ? [] : [{ job: first.job, from: first.line }];
  const later = jobs.slice(jobs.indexOf(first?.job ?? '') + 1);
  const data: News = {
    runs: runs.map(({ at, job, error }) => ({ at, job, error })),
    lines: shown as News['lines'],
    rest: first === undefined ? rest : [...unshown, ...later.map((job) => ({ job, from: 0 }))],
  };
  return {
    demo: false,
    notes: [
      ...(schedule.new === true
        ? []
        : ['This schedule does not leave out what earlier runs gave: these are all of their items.']),
      ...(found.length > maxRuns ? [`Only the newest ${maxRuns} runs were looked at.`] : []),
      ...(expired.length === 0 ? [] : [`The results are deleted of ${expired.join(', ')}.`]),
      ...notes,
    ],
    data,
  };
});
