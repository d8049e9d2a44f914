import type * as z from 'zod';
import { parseParams } from '../../../../lib/params/parse.js';
import { text } from '../../../../lib/params/vocabulary.js';
import { jobObject } from '../../../service/jobs/job-objects.js';
import { dataSchema, inputSchema, outputSchema } from '../schemas.js';
import { pathOf } from './server-api.js';
import { serverTool } from './server-tool.js';

const params = { id: text('ID of the job, job_….') };
const route = { path: 'job_status', params, exactlyOne: null, renamed: {} };

/** The tool that says how far a job is. */
export const jobStatusTool = serverTool(
  {
    name: route.path,
    title: 'The state of a job',
    description: 'How far a job is: inputs in total, completed and failed, and credits refunded. Free.',
    inputSchema: inputSchema(params),
    outputSchema: outputSchema(dataSchema(jobObject, false), false),
    annotations: {
      title: 'The state of a job',
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    },
  },
  async (args, server, { signal }) => {
    const { id } = parseParams(route, args) as z.output<z.ZodObject<typeof params>>;
    const { data } = await server.get(pathOf('jobs', id), {}, signal);
    return { demo: false, notes: [], data };
  },
);
