import * as z from 'zod';
import { stepSchemas } from '../../lines/step-fields.js';

const moment = z.iso.datetime();

/** Options for a job's lines: fields of the request, the job and its schedule. */
export const lineOptionFields = {
  sources: z
    .literal(true, 'must be true or false.')
    .optional()
    .describe('Adds `sources` to every line: the ID, link, author, position and reading time of each item.'),
  ...stepSchemas,
};

/** A job, in responses and webhooks. */
export const jobObject = z
  .strictObject({
    id: z.string().describe('ID of the job, `job_…`.'),
    name: z.string().optional().describe('Name of the job; present if it has one.'),
    endpoint: z.string().describe('The endpoint called for each input, such as `maps/place`.'),
    ...lineOptionFields,
    status: z
      .enum(['queued', 'running', 'done', 'cancelled'])
      .describe('`queued` until the first input runs; `done` or `cancelled` at the end.'),
    total: z.int().min(1).describe('Number of inputs.'),
    completed: z.int().min(0).describe('Inputs that were answered.'),
    failed: z.int().min(0).describe('Inputs that failed; the rest of `total` has not run yet.'),
    credits_reserved: z.int().min(0).describe('Credits reserved when the job was created.'),
    credits_refunded: z.int().min(0).describe('Credits refunded so far.'),
    results_url: z.string().describe('Path of the results.'),
    results_expire_at: moment
      .nullable()
      .describe('When the results are deleted; null until the job has finished.'),
    webhook: z
      .strictObject({
        url: z
          .string()
          .describe('The address to which the finished job is sent, or its results are written.'),
        state: z.enum(['pending', 'delivered', 'failed']).describe('State of the delivery.'),
      })
      .optional()
      .describe('Present if the job has a webhook.'),
    schedule: z.string().optional().describe('ID of the schedule that created it; present if one did.'),
    created_at: moment.describe('When the job was created.'),
    finished_at: moment.nullable().describe('When it finished; null until then.'),
  })
  .meta({ id: 'job' });

/** A recurring job. */
export const scheduleObject = z
  .strictObject({
    id: z.string().describe('ID of the schedule, `sched_…`.'),
    name: z.string().optional().describe('Name of its jobs; present if they have one.'),
    endpoint: z.string().describe('The endpoint called for each input.'),
    ...lineOptionFields,
    every: z
      .string()
      .describe(
        'When it runs: an interval such as `6h`, days and a time such as `monday 08:00`, or five cron fields.',
      ),
    timezone: z.string().describe('Time zone of its times, with its summer time, such as `Europe/Berlin`.'),
    notify: z
      .array(z.string())
      .optional()
      .describe('Alert targets of each run, such as `slack: hooks.slack.com/…`; present if there are any.'),
    status: z.enum(['active', 'paused', 'ended']).describe('`paused` until it is resumed; `ended` for good.'),
    total: z.int().min(1).describe('Number of inputs in each run.'),
    credits_per_run: z.int().min(0).describe('Credits reserved by each run.'),
    runs_in_30_days: z.int().min(0).describe('Runs in the next 30 days; 0 if it is not active.'),
    credits_in_30_days: z.int().min(0).describe('Credits reserved by these runs.'),
    webhook_url: z.string().nullable().describe('Where each finished job is sent; null for nowhere.'),
    next_run_at: moment.nullable().describe('When the next job is created; null if it is not active.'),
    last_run: z
      .strictObject({
        at: moment.describe('When it ran.'),
        job: z.string().nullable().describe('The job it created; null if it could not create one.'),
        error: z.string().nullable().describe('Error code if it could not create a job; otherwise null.'),
      })
      .describe('The latest run.'),
    created_at: moment.describe('When it was created, with its first job.'),
  })
  .meta({ id: 'schedule' });

/** A run of a schedule. */
export const scheduleRunObject = z
  .strictObject({
    number: z.int().min(1).describe('Counts from 1 over the life of the schedule.'),
    at: moment.describe('When it ran.'),
    planned_at: moment.describe(
      'When it was due; earlier than `at` if the run before it or the server was not ready.',
    ),
    missed: z
      .int()
      .min(0)
      .describe('Scheduled times missed between `planned_at` and `at`; this run makes up for them.'),
    job: z.string().nullable().describe('The job it created; null if it could not create one.'),
    error: z.string().nullable().describe('Error code if it could not create a job; otherwise null.'),
    alerts: z
      .array(
        z.strictObject({
          target: z.string().describe('The target; of a URL only the host.'),
          state: z.enum(['pending', 'delivered', 'failed']).describe('State of the alert.'),
          attempts: z.int().min(0).describe('Attempts so far.'),
          error: z.string().nullable().describe('Why the last attempt failed; null if it did not.'),
          next_attempt_at: moment.nullable().describe('When the next attempt is due; null if none is.'),
        }),
      )
      .describe('The alerts about it, in the order of `notify`; empty if there was nothing to report.'),
  })
  .meta({ id: 'schedule_run' });

/** A change seen by runs of a schedule. */
export const scheduleChangeObject = z
  .strictObject({
    number: z.int().min(1).describe('Increases over the life of the schedule, with gaps.'),
    event: z
      .enum(['first', 'new', 'removed', 'returned', 'changed'])
      .describe(
        '`first`: read for the first time, possibly older; `new`, `removed`, `returned`: in a list that was read before; `changed`: a field has another value.',
      ),
    object: z.string().describe('Kind of the item, such as `shortvideo_profile`.'),
    id: z.string().describe('ID of the item on its platform.'),
    url: z.string().nullable().describe('Its public page; null if unknown.'),
    subject: z.string().describe('The input that returned it, such as `nasa`.'),
    endpoint: z.string().describe('The endpoint that read it.'),
    field: z.string().nullable().describe('The field that changed; null for the other events.'),
    before: z.unknown().describe('Value of the field before; null for the other events.'),
    after: z.unknown().describe('Value of the field now; null for the other events.'),
    fetched_at: moment.describe('When it was read.'),
    run: z.string().describe('The job that read it.'),
  })
  .meta({ id: 'schedule_change' });

/** The attempts of a job's webhook. */
export const deliveryObject = z
  .strictObject({
    id: z.string().describe('`whd_…`: the `Extract-Delivery` header of every attempt.'),
    url: z.string().describe('The address to which it is sent.'),
    state: z.enum(['pending', 'delivered', 'failed']).describe('State of the delivery.'),
    attempts: z
      .array(
        z.strictObject({
          number: z.int().min(1).describe('Counts from 1.'),
          at: moment.describe('When it was created.'),
          status: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
          error: z.string().nullable().describe('What went wrong; null if it was accepted.'),
        }),
      )
      .describe('Oldest first.'),
    next_attempt_at: moment.nullable().describe('When the next attempt is due; null if none is.'),
  })
  .meta({ id: 'webhook_delivery' });

/** When an account's webhook secret was created and rotated, without the secret. */
export const webhookSecretObject = z
  .strictObject({
    created_at: moment.nullable().describe('When the secret was created; null if there is none yet.'),
    previous_until: moment
      .nullable()
      .describe('When deliveries stop being signed with the previous secret as well; null if they are not.'),
  })
  .meta({ id: 'webhook_secret' });

/** A new secret, shown only once. */
export const newWebhookSecretObject = webhookSecretObject
  .extend({
    secret: z
      .string()
      .describe(
        'The secret, `whsec_…`. It is not shown again. The first one has also signed earlier deliveries.',
      ),
  })
  .meta({ id: 'new_webhook_secret' });
