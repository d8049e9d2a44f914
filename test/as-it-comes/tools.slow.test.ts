import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type ToolResult, textOf } from '../faces/mcp/call-tool.js';
import { noBrowser } from '../support/browser-site.js';
import { shortvideoSite, videoId } from '../support/shortvideo-site.js';
import { serveSite } from './harness.js';

describe('tools of assistants, with every setting as it comes', { skip: noBrowser }, () => {
  test('answer by the browser where plain requests are refused', async (t) => {
    const { start, plain, browsed } = await serveSite(shortvideoSite());
    const program = start(['mcp', '--account', 'local']);
    assert.ok(program.stdin !== null && program.stdout !== null);
    const client = new Client({ name: 'test', version: '1' });
    t.after(() => client.close());
    await client.connect(new StdioServerTransport(program.stdout, program.stdin));
    const { tools } = await client.listTools();
    assert.equal(tools.filter(({ name }) => name === 'get_shortvideo_comments').length, 1);
    const answer = await client.callTool({
      name: 'get_shortvideo_comments',
      arguments: { id: videoId, limit: 20 },
    });
    assert.notEqual(answer.isError, true, JSON.stringify(answer.content));
    const { data } = JSON.parse(textOf(answer as ToolResult)) as { data: unknown[] };
    assert.equal(data.length, 20);
    assert.ok(plain().length > 0 && browsed().length > 0);
  });
});
