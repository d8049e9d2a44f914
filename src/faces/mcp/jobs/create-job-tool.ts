import * as z from 'zod';
import { endpoints } from '../../../../lib/endpoints.js';
import { flag, text } from '../../../../lib/params/vocabulary.js';
import { briefOf, stepFields } from '../../../lines/step-fields.js';
import { identifyingParams } from '../../../output/plain-argument.js';
import { parseIdempotencyKey } from '../../../service/jobs/idempotency-key.js';
import { jobObject } from '../../../service/jobs/job-objects.js';
import { describeTool } from '../describe-tool.js';
import { serverTool } from './server-tool.js';

/** Describes the input of each endpoint, grouping endpoints with the same input. */
const inputsByEndpoint = () => {
  const paths: Record<string, string[]> = {};
  for (const endpoint of endpoints) {
    const input = identifyingParams(endpoint).join(' or ');
    paths[input] = [...(paths[input] ?? []), endpoint.path];
  }
  return Object.entries(paths)
    .map(([input, some]) => `${input}: ${some.join(', ')}`)
    .join('; ');
};

const { definition } = describeTool({
  name: 'create_job',
  title: 'A job for many inputs',
  description:
    'Calls one endpoint for up to 10,000 inputs, on the server; returns the job immediately. Reserves the price of all inputs; failed ones are refunded. State the cost first.',
  // The fields of a job's body, worded for the tool. The server validates them.
  params: {
    endpoint: text(`By what an input has: ${inputsByEndpoint()}.`),
    inputs: z
      .array(z.record(z.string(), z.unknown()))
      .describe('Each in the form that its endpoint accepts.'),
    name: text('Name.').optional(),
    schedule: text('Repeats it: 6h, 1d, monday 08:00.').optional(),
    timezone: text('Such as Europe/Berlin.').optional(),
    ...Object.fromEntries(
      stepFields.map((field) => {
        const words = `${briefOf(field, 'Scheduled')}.`;
        return [field.name, (field.isSwitch ? flag(words) : text(words)).optional()];
      }),
    ),
    sources: flag('Add ID, URL, author and position of each item.').optional(),
    webhook_url: text('https URL to post the finished job to.').optional(),
    idempotency_key: text('The same key returns the same job.').optional(),
  },
  data: jobObject,
  annotations: { readOnlyHint: false, openWorldHint: true },
});

/** Creates a job, and answers before it has run. */
export const createJobTool = serverTool(
  definition,
  async ({ idempotency_key: keyText, ...body }, server, { signal }) => {
    // Checked here, so that a value unfit for a header never reaches the server.
    const key = parseIdempotencyKey(keyText);
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    const { data } = await server.post('jobs', { body: JSON.stringify(body), headers }, signal);
    return {
      demo: false,
      notes: ['job_status shows its progress; job_results reads its lines, even before it has finished.'],
      data,
    };
  },
);
