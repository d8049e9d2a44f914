import * as z from 'zod';
import { endpoints } from '../../../../lib/endpoints.js';
import { contentTypes } from '../../../files/result-files/file-kind.js';
import { maxInputs, maxJobNameLength } from '../../../service/jobs/job-limits.js';
import { lineOptionFields } from '../../../service/jobs/job-objects.js';
import { maxIdempotencyKeyLength, maxWebhookUrlLength } from '../../../service/jobs/job-request.js';
import { resultsParams } from '../../../service/jobs/results/results-sender.js';
import { jobListParams } from '../jobs/job-routes.js';
import { scheduleChangeParams, scheduleListParams } from '../jobs/schedule-routes.js';
import { answer, metaSchema } from './account-operations.js';
import { linkOperations } from './link-operations.js';
import { queryParameters } from './read-operations.js';
import { commonHeaders, errorResponses } from './responses.js';
import { type Plain, schemaRef } from './schemas.js';

/** The answers of the routes of jobs beside their success. */
export const jobStatuses = [400, 401, 403, 404, 409, 410, 413, 416, 429, 500];
const statuses = [400, 401, 403, 404, 429, 500];

const common = { tags: ['jobs'], 'x-credits': 0, security: [{ api_key: [] }] };
const idParameter = {
  name: 'id',
  in: 'path',
  description: 'ID of the job.',
  required: true,
  schema: { type: 'string' },
};
const cursorMeta = {
  next_cursor: {
    type: ['string', 'null'],
    description: 'Send it back as `cursor` for the next page; null on the last page.',
  },
};
const job = schemaRef('job');
const schedule = schemaRef('schedule');
const scheduleId = { ...idParameter, description: 'ID of the schedule.' };

/** An answer with data in its envelope, under another status than 200 where one is named. */
function answers(description: string, data: Plain, of: readonly number[], status = 200, meta = {}): Plain {
  const { 200: success } = answer(description, data, metaSchema(meta)) as { readonly 200: Plain };
  return { [status]: success, ...errorResponses(of) };
}

/** The options of a job's lines, from the table of their fields. */
const { properties: lineOptionProperties } = z.toJSONSchema(z.object(lineOptionFields)) as {
  readonly properties: Plain;
};

const create: Plain = {
  ...common,
  operationId: 'create_job',
  summary: `Call one endpoint for up to ${maxInputs.toLocaleString('en-US')} inputs`,
  description: 'The price of all inputs is reserved; inputs that fail or are cancelled are refunded.',
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'Repeating the same key and body within 24 hours returns the same job.',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: maxIdempotencyKeyLength },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            endpoint: {
              type: 'string',
              enum: endpoints.map(({ path }) => path),
              description: 'The endpoint to call, such as `maps/place`.',
            },
            inputs: {
              type: 'array',
              minItems: 1,
              maxItems: maxInputs,
              items: { type: 'object', additionalProperties: true },
              description:
                'The parameters of each call: at most 64 KiB, 50 keys and 16 levels for each input.',
            },
            name: {
              type: 'string',
              maxLength: maxJobNameLength,
              description: 'Name of the job in lists.',
            },
            webhook_url: {
              type: 'string',
              format: 'uri',
              maxLength: maxWebhookUrlLength,
              description:
                'https URL that the finished job is sent to; or `s3://bucket/name-{job}.csv` in the operator’s bucket, which the results are written to.',
            },
            schedule: {
              type: 'string',
              maxLength: 100,
              description:
                'Repeats the job: an interval such as `6h`, `1d` or `1w`, days and a time such as `monday 08:00`, or five cron fields. The first job is created at once.',
            },
            timezone: {
              type: 'string',
              maxLength: 64,
              description: 'Time zone of the schedule, such as `Europe/Berlin`; UTC when left out.',
            },
            notify: {
              type: 'array',
              minItems: 1,
              maxItems: 10,
              items: { type: 'string', maxLength: 2048 },
              description:
                'Who is told of the items of each run of the schedule: URLs of webhooks and chats, and the e-mail address of the account. They are shown by their hosts alone. Adds `sources` to every line.',
            },
            ...lineOptionProperties,
          },
          required: ['endpoint', 'inputs'],
          additionalProperties: false,
        },
      },
    },
  },
  responses: answers('The job.', job, [400, 401, 403, 404, 413, 429, 500], 202),
};

/** The lines as text; what they are made into, as a text or as bytes. */
const resultsContent: Plain = Object.fromEntries(
  Object.entries(contentTypes).map(([kind, type]) => [
    type.replace(/;.*/, ''),
    {
      schema: kind === 'ndjson' || kind === 'csv' ? { type: 'string' } : { type: 'string', format: 'binary' },
    },
  ]),
);

const results: Plain = {
  ...common,
  operationId: 'get_job_results',
  summary: 'The results: one NDJSON line for each input, in order, or a file to open',
  description:
    'While the job runs, the lines that are ready so far. With `format`, a CSV, XLSX, SQLite or Parquet file once the job has finished. Supports byte ranges and gzip. Deleted at the `results_expire_at` of the job: seven days after its end, unless the operator has set others.',
  parameters: [idParameter, ...queryParameters(resultsParams)],
  responses: {
    200: {
      description:
        'The lines: `{"input":…,"data":…}`, with `sources`, `left_out`, `changed` and `removed` if the job asks for them, or `{"input":…,"error":…}`.',
      headers: commonHeaders,
      content: resultsContent,
    },
    206: {
      description: 'The bytes requested by `Range`.',
      headers: commonHeaders,
      content: resultsContent,
    },
    ...errorResponses([400, 401, 403, 404, 409, 410, 416, 429, 500]),
  },
};

const operation = (
  operationId: string,
  summary: string,
  responses: Plain,
  parameters: readonly Plain[] = [],
) => ({
  ...common,
  operationId,
  summary,
  description: 'Free.',
  ...(parameters.length === 0 ? {} : { parameters }),
  responses,
});

export const jobOperations: Readonly<Record<string, Plain>> = {
  '/jobs': {
    post: create,
    get: operation(
      'list_jobs',
      'The jobs of the account, newest first',
      answers('A page of jobs.', { type: 'array', items: job }, [400, 401, 403, 429, 500], 200, cursorMeta),
      queryParameters(jobListParams),
    ),
  },
  '/jobs/{id}': { get: operation('get_job', 'A job', answers('The job.', job, statuses), [idParameter]) },
  '/jobs/{id}/cancel': {
    post: operation(
      'cancel_job',
      'Cancel a job: inputs that have not run become error lines and are refunded',
      answers('The job.', job, [400, 401, 403, 404, 409, 413, 429, 500]),
      [idParameter],
    ),
  },
  '/jobs/{id}/results': { get: results },
  '/jobs/{id}/webhook': {
    get: operation(
      'get_job_webhook',
      'The delivery attempts of a job’s webhook',
      answers('The delivery.', schemaRef('webhook_delivery'), statuses),
      [idParameter],
    ),
  },
  '/jobs/{id}/webhook/redeliver': {
    post: operation(
      'redeliver_job_webhook',
      'Send the webhook of a finished job again',
      answers('The job.', job, [400, 401, 403, 404, 409, 413, 429, 500], 202),
      [idParameter],
    ),
  },
  '/schedules': {
    get: operation(
      'list_schedules',
      'The schedules of the account, newest first',
      answers(
        'A page of schedules.',
        { type: 'array', items: schedule },
        [400, 401, 403, 429, 500],
        200,
        cursorMeta,
      ),
      queryParameters(scheduleListParams),
    ),
  },
  '/schedules/{id}': {
    get: operation('get_schedule', 'A schedule', answers('The schedule.', schedule, statuses), [scheduleId]),
  },
  '/schedules/{id}/pause': {
    post: operation(
      'pause_schedule',
      'Pause a schedule: no further jobs until it is resumed; running jobs continue',
      answers('The schedule.', schedule, [400, 401, 403, 404, 409, 413, 429, 500]),
      [scheduleId],
    ),
  },
  '/schedules/{id}/resume': {
    post: operation(
      'resume_schedule',
      'Resume a schedule with its next run; missed runs are not made up',
      answers('The schedule.', schedule, [400, 401, 403, 404, 409, 413, 429, 500]),
      [scheduleId],
    ),
  },
  '/schedules/{id}/run': {
    post: operation(
      'run_schedule',
      'Run a schedule now, beside its times; refused while a run is under way',
      answers('The schedule.', schedule, [400, 401, 403, 404, 409, 413, 429, 500], 202),
      [scheduleId],
    ),
  },
  '/schedules/{id}/runs': {
    get: operation(
      'list_schedule_runs',
      'The runs of a schedule, newest first, with those that were missed',
      answers(
        'A page of runs.',
        { type: 'array', items: schemaRef('schedule_run') },
        [400, 401, 403, 404, 429, 500],
        200,
        cursorMeta,
      ),
      [scheduleId, ...queryParameters(scheduleListParams)],
    ),
  },
  '/schedules/{id}/changes': {
    get: operation(
      'list_schedule_changes',
      'What the runs of a schedule with `history` saw change, oldest first',
      answers(
        'A page of changes.',
        { type: 'array', items: schemaRef('schedule_change') },
        [400, 401, 403, 404, 429, 500],
        200,
        cursorMeta,
      ),
      [scheduleId, ...queryParameters(scheduleChangeParams)],
    ),
  },
  '/schedules/{id}/end': {
    post: operation(
      'end_schedule',
      'End a schedule for good and delete its inputs and its history; running jobs continue',
      answers('The schedule.', schedule, [400, 401, 403, 404, 413, 429, 500]),
      [scheduleId],
    ),
  },
  '/webhooks/secret': {
    get: operation(
      'get_webhook_secret',
      'When the signing secret was created; never the secret itself',
      answers('When the secret was created.', schemaRef('webhook_secret'), [400, 401, 403, 429, 500]),
    ),
    post: operation(
      'rotate_webhook_secret',
      'Create a signing secret, shown once; the previous one stays valid for a day, or until the next one',
      answers('The secret.', schemaRef('new_webhook_secret'), [400, 401, 403, 413, 429, 500]),
    ),
  },
  ...linkOperations,
};
