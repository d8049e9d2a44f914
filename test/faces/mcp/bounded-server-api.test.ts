import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boundedServerApi } from '../../../src/faces/mcp/jobs/bounded-server-api.js';
import { createJobTool } from '../../../src/faces/mcp/jobs/create-job-tool.js';
import { jobResultsTool } from '../../../src/faces/mcp/jobs/job-results-tool.js';
import { jobStatusTool } from '../../../src/faces/mcp/jobs/job-status-tool.js';
import type { ServerApi } from '../../../src/faces/mcp/jobs/server-api.js';
import { whatsNewTool } from '../../../src/faces/mcp/jobs/whats-new-tool.js';
import type { Tool, ToolCall } from '../../../src/faces/mcp/tool.js';

/** A server whose jobs and schedules are all of one endpoint, and the bodies that it was sent. */
function serverOf(endpoint: string) {
  const bodies: string[] = [];
  const api: ServerApi = {
    get: async () => ({ data: { id: 'job_1', endpoint, total: 0, status: 'done' }, meta: {} }) as never,
    async post(_, { body }) {
      bodies.push(body);
      return { data: { id: 'job_1', endpoint }, meta: {} } as never;
    },
    open: async () => (async function* () {})(),
  };
  return { api, made: bodies };
}

const run = (tool: Tool, args: Readonly<Record<string, unknown>>, server: ServerApi) =>
  tool.run(args, { server, signal: new AbortController().signal } as ToolCall);

describe('the tools for jobs, offered for some platforms', () => {
  test('make no job of another platform, by whichever name', async () => {
    const { api, made: bodies } = serverOf('maps/place');
    const bounded = boundedServerApi(api, ['maps']);
    for (const endpoint of ['shortvideo/profile', 'tiktok/profile']) {
      await assert.rejects(run(createJobTool, { endpoint, inputs: [{}] }, bounded), {
        code: 'invalid_parameter',
        message: /only cover maps/,
      });
    }
    assert.deepEqual(bodies, []);
    for (const endpoint of ['maps/place', 'google-maps/place']) {
      await run(createJobTool, { endpoint, inputs: [{}] }, bounded);
    }
    assert.equal(bodies.length, 2);
  });

  test('find no job and no schedule of another platform', async () => {
    const bounded = boundedServerApi(serverOf('shortvideo/profile').api, ['maps']);
    for (const [tool, args, code] of [
      [jobStatusTool, { id: 'job_1' }, 'job_not_found'],
      [jobResultsTool, { id: 'job_1' }, 'job_not_found'],
      [whatsNewTool, { schedule: 'sched_1' }, 'schedule_not_found'],
    ] as const) {
      await assert.rejects(run(tool, args, bounded), { code }, tool.definition.name);
    }
    const limitedApi = boundedServerApi(serverOf('maps/place').api, ['maps']);
    await run(jobStatusTool, { id: 'job_1' }, limitedApi);
  });
});
