import * as z from 'zod';

const moment = z.iso.datetime();

/** A job, as it is answered and as a webhook carries it. */
export const jobObject = z
  .strictObject({
    id: z.string().describe('Id of the job, `job_…`.'),
    name: z.string().optional().describe('What its owner calls it; there when a name was given.'),
    endpoint: z.string().describe('The endpoint that is asked about each input, such as `maps/place`.'),
    status: z
      .enum(['queued', 'running', 'done', 'cancelled'])
      .describe('`queued` until the first input runs; `done` or `cancelled` at the end.'),
    total: z.int().min(1).describe('Number of inputs.'),
    completed: z.int().min(0).describe('Inputs that were answered.'),
    failed: z.int().min(0).describe('Inputs that failed; the rest of `total` is still to come.'),
    credits_reserved: z.int().min(0).describe('Charged when the job was made.'),
    credits_refunded: z.int().min(0).describe('Given back so far.'),
    results_url: z.string().describe('Path of the results.'),
    results_expire_at: moment
      .nullable()
      .describe('When the results are deleted; null until the job has finished.'),
    webhook: z
      .strictObject({
        url: z.string().describe('Where the finished job is sent.'),
        state: z.enum(['pending', 'delivered', 'failed']).describe('What became of it.'),
      })
      .optional()
      .describe('There when a webhook was given.'),
    schedule: z.string().optional().describe('Id of the schedule that made it; there when one did.'),
    created_at: moment.describe('When the job was made.'),
    finished_at: moment.nullable().describe('When it finished; null until then.'),
  })
  .meta({ id: 'job' });

/** A job that is made again and again. */
export const scheduleObject = z
  .strictObject({
    id: z.string().describe('Id of the schedule, `sched_…`.'),
    name: z.string().optional().describe('Name of its jobs; there when one was given.'),
    endpoint: z.string().describe('The endpoint that is asked about each input.'),
    every: z.string().describe('When it runs: an interval such as `6h`, or five fields of cron in UTC.'),
    status: z.enum(['active', 'paused', 'ended']).describe('`paused` until it is resumed; `ended` for good.'),
    total: z.int().min(1).describe('Number of inputs of each run.'),
    credits_per_run: z.int().min(0).describe('What each run reserves.'),
    runs_in_30_days: z.int().min(0).describe('Runs of the next 30 days; 0 while it is not active.'),
    credits_in_30_days: z.int().min(0).describe('What those reserve together.'),
    webhook_url: z.string().nullable().describe('Where each finished job is sent; null for nowhere.'),
    next_run_at: moment.nullable().describe('When the next job is made; null while it is not active.'),
    last_run: z
      .strictObject({
        at: moment.describe('When it was.'),
        job: z.string().nullable().describe('The job that it made; null where none could be made.'),
        error: z.string().nullable().describe('Code of why none could be made; null where one was.'),
      })
      .describe('The newest run.'),
    created_at: moment.describe('When it was made, with its first job.'),
  })
  .meta({ id: 'schedule' });

/** The attempts of a job's webhook. */
export const deliveryObject = z
  .strictObject({
    id: z.string().describe('`whd_…`: the `Extract-Delivery` header of every attempt.'),
    url: z.string().describe('Where it is sent.'),
    state: z.enum(['pending', 'delivered', 'failed']).describe('What became of it.'),
    attempts: z
      .array(
        z.strictObject({
          number: z.int().min(1).describe('Counts from 1.'),
          at: moment.describe('When it was made.'),
          status: z.int().nullable().describe('HTTP status of the answer; null when there was none.'),
          error: z.string().nullable().describe('What went wrong; null when it was taken.'),
        }),
      )
      .describe('Oldest first.'),
    next_attempt_at: moment.nullable().describe('When the next attempt is made; null when none is.'),
  })
  .meta({ id: 'webhook_delivery' });

/** What is told of the secret that signs an account's webhooks. */
export const webhookSecretObject = z
  .strictObject({
    created_at: moment.nullable().describe('When the secret was made; null when none was shown yet.'),
    previous_until: moment
      .nullable()
      .describe('Until when the secret before it signs along; null when none does.'),
  })
  .meta({ id: 'webhook_secret' });

/** A secret that was just made: the only time that it is shown. */
export const newWebhookSecretObject = webhookSecretObject
  .extend({
    secret: z
      .string()
      .describe(
        'The secret, `whsec_…`. It is not shown again. The first that is asked for has signed what was sent before, too.',
      ),
  })
  .meta({ id: 'new_webhook_secret' });
