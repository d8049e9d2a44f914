import { text } from '../../../../lib/params/vocabulary.js';
import { jobObject } from '../../../service/jobs/job-objects.js';
import { describeTool } from '../describe-tool.js';
import { pathOf } from './server-api.js';
import { serverTool } from './server-tool.js';

const { definition, parse } = describeTool({
  name: 'job_status',
  title: 'The state of a job',
  description: 'How far a job is: inputs in total, completed and failed, and credits refunded. Free.',
  params: { id: text('ID of the job, job_….') },
  data: jobObject,
});

export const jobStatusTool = serverTool(definition, async (args, server, { signal }) => {
  const { data } = await server.get(pathOf('jobs', parse(args).id), {}, signal);
  return { demo: false, notes: [], data };
});
