import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { integer, moment, text } from '../../../../lib/params/vocabulary.js';
import type { Job } from '../../../service/jobs/job.js';
import type { Schedule } from '../../../service/jobs/schedules/schedule.js';
import type { RunPage } from '../../../service/jobs/schedules/schedule-runs.js';
import { describeTool } from '../describe-tool.js';
import { lineView, type ResultLine, resultLine, resultLines, showLines } from './result-lines.js';
import { pathOf, type ServerApi } from './server-api.js';
import { serverTool } from './server-tool.js';

const whatsNewSchema = z.strictObject({
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
    .array(resultLine.extend({ job: z.string().describe('The job that returned it.') }))
    .describe('New lines, of the newest run first.'),
  rest: z
    .array(z.strictObject({ job: z.string(), from: z.int().min(0) }))
    .describe('What did not fit or was not ready: where job_results continues.'),
});

type WhatsNewResult = z.output<typeof whatsNewSchema>;

/** Number of runs examined, newest first; each costs a request. */
const maxRuns = 20;

const isNew = ({ data }: ResultLine) =>
  data !== undefined && data !== null && !(Array.isArray(data) && data.length === 0);

type JobLine = ResultLine & { readonly job: string };

interface NewItems {
  /** Lines with content: as many as requested, plus the first of each job that did not fit. */
  readonly lines: readonly JobLine[];
  readonly expired: readonly string[];
  readonly ready: number;
}

async function collectNewItems(
  server: ServerApi,
  jobs: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<NewItems> {
  const lines: JobLine[] = [];
  const expired: string[] = [];
  let ready = 0;
  for (const job of jobs) {
    try {
      for await (const line of resultLines(server, job, 0, signal)) {
        if (job === jobs[0]) ready += 1;
        if (isNew(line)) lines.push({ job, ...line });
        if (lines.length > limit && lines.at(-1)?.job === job) break;
      }
    } catch (error) {
      if (!(error instanceof ExtractError) || error.code !== 'results_expired') throw error;
      expired.push(job);
    }
  }
  return { lines, expired, ready };
}

/** Returns the job of the newest run while it is in progress. */
async function findRunning(
  server: ServerApi,
  [newest]: readonly string[],
  signal: AbortSignal,
): Promise<Job | null> {
  if (newest === undefined) return null;
  const job = (await server.get(pathOf('jobs', newest), {}, signal)).data as Job;
  return job.status === 'queued' || job.status === 'running' ? job : null;
}

const { definition, parse } = describeTool({
  name: 'whats_new',
  title: 'What a schedule found',
  description:
    'What the runs of a schedule found since a time; with new on its job, only what no earlier run returned. Free.',
  params: {
    schedule: text('ID of the schedule, sched_….'),
    since: moment('ISO 8601 day or time; by default only the latest run.').optional(),
    limit: integer(1, 100, 'Lines at most.').default(20),
  },
  data: whatsNewSchema,
  hasView: true,
});

/** Reports what the runs of a schedule found. */
export const whatsNewTool = serverTool(definition, async (args, server, { signal }) => {
  const { schedule: id, since, limit } = parse(args);
  const time = since === undefined ? undefined : Date.parse(since);
  const schedule = (await server.get(pathOf('schedules', id), {}, signal)).data as Schedule;
  const view = lineView(schedule.endpoint, args);
  const count = time === undefined ? 1 : maxRuns + 1;
  const page = await server.get(pathOf('schedules', id, '/runs'), { limit: String(count) }, signal);
  const inTime = (page.data as RunPage['runs']).filter(
    ({ at }) => time === undefined || Date.parse(at) >= time,
  );
  const runs = inTime.slice(0, maxRuns);
  const jobs = runs.flatMap(({ job }) => job ?? []);
  // Read before the lines, so a run that ends meanwhile counts as in progress and no line is missed.
  const running = await findRunning(server, jobs, signal);
  const { lines, expired, ready } = await collectNewItems(server, jobs, limit, signal);
  const { shownLines, notes } = showLines(lines.slice(0, limit), view);
  const unshown = lines.slice(shownLines.length).map(({ job, line }) => ({ job, from: line }));
  if (running !== null) unshown.push({ job: running.id, from: ready });
  const data: WhatsNewResult = {
    runs: runs.map(({ at, job, error }) => ({ at, job, error })),
    lines: shownLines as WhatsNewResult['lines'],
    rest: unshown.filter(({ job }, at) => unshown.findIndex((one) => one.job === job) === at),
  };
  return {
    demo: false,
    notes: [
      ...(schedule.new === true
        ? []
        : ['This schedule does not omit what earlier runs returned: these are all items.']),
      ...(inTime.length > maxRuns ? [`Only the newest ${maxRuns} runs were examined.`] : []),
      ...(running === null
        ? []
        : [
            `The newest run is in progress: ${running.completed + running.failed} of ${running.total} inputs are done.`,
          ]),
      ...(expired.length === 0 ? [] : [`The results of ${expired.join(', ')} were deleted.`]),
      ...notes,
    ],
    data,
  };
});
