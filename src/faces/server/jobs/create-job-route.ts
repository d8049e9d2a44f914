import * as z from 'zod';
import { endpoints } from '../../../../lib/endpoints.js';
import { maxIdempotencyKeyLength } from '../../../service/jobs/idempotency-key.js';
import { maxInputs, maxJobNameLength } from '../../../service/jobs/job-limits.js';
import { jobObject, lineOptionFields } from '../../../service/jobs/job-objects.js';
import { maxWebhookUrlLength } from '../../../service/jobs/job-request.js';
import { apiRoute } from '../api-route.js';

const { properties: lineOptionProperties } = z.toJSONSchema(z.object(lineOptionFields));

/** Creates a job; `parseJobRequest` validates the body. */
export const createJobRoute = apiRoute({
  method: 'post',
  path: '/jobs',
  operationId: 'create_job',
  summary: `Call one endpoint for up to ${maxInputs.toLocaleString('en-US')} inputs`,
  description: 'The price of all inputs is reserved; inputs that fail or are cancelled are refunded.',
  headers: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'Repeating the same key and body within 24 hours returns the same job.',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: maxIdempotencyKeyLength },
    },
  ],
  body: {
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
        description: 'The parameters of each call: at most 64 KiB, 50 keys and 16 levels for each input.',
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
          'https URL to which the finished job is posted; or `s3://bucket/name-{job}.csv` in the operator’s bucket, to write the results to.',
      },
      schedule: {
        type: 'string',
        maxLength: 100,
        description:
          'Repeats the job: an interval such as `6h`, `1d` or `1w`, days and a time such as `monday 08:00`, or five cron fields. The first job is created immediately.',
      },
      timezone: {
        type: 'string',
        maxLength: 64,
        description: 'Time zone of the schedule, such as `Europe/Berlin`; UTC by default.',
      },
      notify: {
        type: 'array',
        minItems: 1,
        maxItems: 10,
        items: { type: 'string', maxLength: 2048 },
        description:
          'Where to send the items of each run of the schedule: URLs of webhooks and chats, and the e-mail address of the account. Only their hosts are shown. Adds `sources` to every line.',
      },
      ...lineOptionProperties,
    },
    required: ['endpoint', 'inputs'],
    additionalProperties: false,
  },
  answer: { description: 'The job.', data: jobObject, status: 202 },
  refusals: [404],
});
