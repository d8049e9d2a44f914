import type { Command } from 'commander';
import type { ApiClient } from '../../../../lib/remote/api-client.js';
import type { ApiResponse } from '../../../../lib/remote/call-api.js';
import type { InputFormat } from '../../../files/batch-files/input.js';
import { briefOf, stepFields } from '../../../lines/step-fields.js';
import { ndjsonValues } from '../../../output/ndjson-values.js';
import { type Job, lineOptionsIn } from '../../../service/jobs/job.js';
import { jobObject } from '../../../service/jobs/job-objects.js';
import { inputFormatOption, requireEndpoint } from '../batch/batch-options.js';
import { setCompletionWords } from '../completion/words.js';
import type { Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { createJob, inputsOfResults, jobInputs } from '../jobs/create.js';
import { jobPath, withServer } from '../jobs/job-api.js';
import { addLinkCommands } from '../jobs/link-commands.js';
import { resultLines } from '../jobs/results.js';
import { addObjectCommand, showPages } from '../jobs/server-command.js';
import { waitForJob } from '../jobs/wait.js';
import { wholeNumber } from '../number-arguments.js';
import { addOutputOptions, outputOf } from '../output.js';
import { printableJson } from '../printable.js';
import { answerWriter } from '../reply.js';
import { UsageError } from '../usage-error.js';

const id = ['<id>', 'job_…, as `extract jobs list` shows it'] as const;
const ofJob = { schema: jobObject, args: [id], pathOf: jobPath };
const waiting = ['--wait', 'Wait until it finishes; exit status 7 if inputs failed'] as const;

interface ResultsOptions {
  readonly follow?: boolean;
  readonly output?: string;
  readonly overwrite?: boolean;
  readonly then?: string;
  readonly thenLimit?: number;
}

/** Exit status 7 if inputs failed. */
function endStatus({ failed }: Job): void {
  if (failed > 0) throw new ExitStatusError(7);
}

/** Writes the id of a new job before waiting, so that the user can find the job whatever happens. */
async function reportNewJob(
  command: Command,
  context: Context,
  client: ApiClient,
  jobResponse: ApiResponse,
  reply: (response: ApiResponse) => Promise<void>,
): Promise<void> {
  if (command.opts().wait !== true) {
    await reply(jobResponse);
    return;
  }
  const { id } = jobResponse.data as Job;
  await context.stderr.write(`${id}\n`);
  const { showNotes } = outputOf(command.opts(), context);
  const response = await waitForJob(context, client, id, showNotes);
  await reply(response);
  endStatus(response.data as Job);
}

function addCreate(group: Command, context: Context): void {
  const create = group
    .command('create')
    .description('Create a job from a file of inputs (NDJSON, CSV or text) and reserve its price')
    .argument('<endpoint>', 'such as maps/place')
    .argument('[file]', 'the inputs, 10,000 at most; - or nothing for stdin')
    .option('--name <name>', 'name of the job in lists')
    .option(
      '--webhook-url <url>',
      'URL (https) to send the finished job to, or s3://bucket/name-{job}.csv to write its results to',
    )
    .option(
      '--every <schedule>',
      'Repeat the job: 6h, 1d, "monday 08:00", or five cron fields; `extract jobs schedules` manages it',
    )
    .option(
      '--timezone <zone>',
      'With --every: the time zone of its times, such as Europe/Berlin. Default: UTC',
    )
    .option(
      '--notify <target>',
      'With --every: send the items of each run to a webhook, Slack, Discord, Teams, Mattermost, ntfy, your e-mail address; may be repeated',
      (target: string, before: readonly string[]) => [...before, target],
      [],
    )
    .option('--sources', 'Add to each item its ID, URL, author, position and time')
    .option('--idempotency-key <key>', 'repeating the same key and inputs returns the same job')
    .addOption(inputFormatOption())
    .option(...waiting);
  for (const field of stepFields)
    create.option(`--${field.name}${field.isSwitch ? '' : ' <text>'}`, briefOf(field, 'With --every'));
  setCompletionWords(
    create,
    context.endpoints.map(({ path }) => path),
  );
  addOutputOptions(create).action(async (path: string, file: string | undefined) => {
    const { webhookUrl, idempotencyKey, inputFormat, every, timezone, notify, name } = create.opts();
    const lineOptions = lineOptionsIn(create.opts(), 'schedule');
    const reply = answerWriter(create, context, jobObject, false);
    const endpoint = requireEndpoint(path, context.endpoints);
    const from = file === undefined || file === '-' ? null : file;
    const inputs = await jobInputs(context, endpoint, from, inputFormat as InputFormat | undefined);
    const newJob = {
      endpoint: endpoint.path,
      schedule: every,
      timezone,
      name,
      ...lineOptions,
      webhook_url: webhookUrl,
      notify: notify.length === 0 ? undefined : notify,
    };
    await withServer(context, async (client) => {
      const response = await createJob(client, newJob, inputs, context.signal, idempotencyKey);
      await reportNewJob(create, context, client, response, reply);
    });
  });
}

/** Throws `job_not_finished` unless the job has finished. */
async function requireFinished(client: ApiClient, job: string, signal: AbortSignal): Promise<Job> {
  const data = (await client.get(jobPath(job), {}, signal)).data as Job;
  if (data.finished_at !== null) return data;
  throw new UsageError('job_not_finished', `${job} has not finished.`, `extract jobs wait ${job}`);
}

function addRetry(group: Command, context: Context): void {
  const retry = group
    .command('retry-failed')
    .description('Create a new job from the failed inputs of a finished one')
    .argument(...id)
    .option(
      '--webhook-url <url>',
      'URL (https) to send the finished job to, or s3://bucket/name-{job}.csv to write its results to',
    )
    .option(...waiting);
  addOutputOptions(retry).action(async (job: string) => {
    const reply = answerWriter(retry, context, jobObject, false);
    await withServer(context, async (client) => {
      const { endpoint, ...rest } = await requireFinished(client, job, context.signal);
      const inputs: string[] = [];
      const lines = ndjsonValues<{ input: unknown; error?: unknown }>(
        resultLines(client, job, false, context.signal),
      );
      for await (const { input, error } of lines) if (error !== undefined) inputs.push(JSON.stringify(input));
      if (inputs.length === 0) {
        throw new UsageError('invalid_parameter', `No inputs of ${job} failed.`, 'There is nothing to do.');
      }
      const newJob = { endpoint, ...lineOptionsIn(rest, 'job'), webhook_url: retry.opts().webhookUrl };
      const response = await createJob(client, newJob, inputs, context.signal);
      await reportNewJob(retry, context, client, response, reply);
    });
  });
}

/** Creates a job over the items of a finished one. Repeating the command returns the same job. */
async function createNext(
  command: Command,
  context: Context,
  job: string,
  { then: path = '', thenLimit, output, follow = false }: ResultsOptions,
): Promise<void> {
  if (output !== undefined || follow) {
    throw new UsageError('conflicting_parameters', '--then creates a job, so no lines are written.');
  }
  const endpoint = requireEndpoint(path, context.endpoints);
  const reply = answerWriter(command, context, jobObject, false);
  await withServer(context, async (client) => {
    await requireFinished(client, job, context.signal);
    const lines = resultLines(client, job, false, context.signal);
    const inputs = await inputsOfResults(lines, endpoint, thenLimit);
    const idempotencyKey = `${job} ${endpoint.path} ${thenLimit ?? ''}`;
    await reply(await createJob(client, { endpoint: endpoint.path }, inputs, context.signal, idempotencyKey));
  });
}

/** `extract jobs …`: manages batch jobs on a server. */
export function defineCommand(group: Command, context: Context): void {
  addCreate(group, context);

  const list = group.command('list').description('List the jobs, newest first');
  showPages(list, context, jobObject, { items: 'Jobs' }, () => 'jobs');

  addObjectCommand(group, context, ['show', 'Show a job'], ofJob);

  const wait = group
    .command('wait')
    .description('Wait until a job finishes; exit status 7 if inputs failed')
    .argument(...id);
  addOutputOptions(wait).action(async (job: string) => {
    const reply = answerWriter(wait, context, jobObject, false);
    const { showNotes } = outputOf(wait.opts(), context);
    const response = await withServer(context, (client) => waitForJob(context, client, job, showNotes));
    await reply(response);
    endStatus(response.data as Job);
  });

  const cancel = ['cancel', 'Cancel a job; inputs that have not run are refunded'] as const;
  addObjectCommand(group, context, cancel, { ...ofJob, method: 'post', rest: '/cancel' });

  const results = group
    .command('results')
    .description('Print the results of a job as NDJSON, one line per input, in order')
    .argument(...id)
    .option('--follow', 'Keep printing until the job ends')
    .option(
      '-o, --output <file>',
      'Write to this file, or to a bucket (s3://bucket/name.csv): .ndjson, .csv, .xlsx, .sqlite or .parquet',
    )
    .option('--overwrite', 'Replace the file if it exists')
    .option('--then <endpoint>', 'Create a job that runs this endpoint over the items of the results instead')
    .option(
      '--then-limit <number>',
      'Maximum items of each answer to pass to the next endpoint',
      wholeNumber(1, 999_999_999),
    )
    .action(async (job: string, options: ResultsOptions) => {
      const { follow = false, output, overwrite = false } = options;
      if (options.then !== undefined) return createNext(results, context, job, options);
      if (options.thenLimit !== undefined) {
        throw new UsageError('missing_parameter', '--then-limit requires --then ENDPOINT.');
      }
      const { stdout, signal } = context;
      if (output !== undefined) {
        const { saveResults } = await import('../jobs/save-results.js');
        const { withObjectFile } = await import('../bucket/object-file.js');
        await withObjectFile(context, output, { overwrite }, ({ file }) =>
          withServer(context, (client) =>
            saveResults(client, job, { output: file, overwrite, follow, signal }),
          ),
        );
        return;
      }
      await withServer(context, async (client) => {
        for await (const lines of resultLines(client, job, follow, signal)) {
          const text = lines.toString();
          await stdout.write(stdout.isTTY ? printableJson(text) : text);
        }
      });
    });

  addRetry(group, context);
  addLinkCommands(group, context, { name: 'job', id, pathOf: jobPath });
}
