import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { serveTools } from './server-harness.js';

/** What of the protocol's own suite is about a server of any kind. The rest asks for tools of that suite. */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const folder = temporaryFolder();

describe('the protocol’s conformance suite', { concurrency: 2 }, () => {
  for (const scenario of scenarios) {
    test(scenario, async (t) => {
      const { url } = await serveTools(t);
      const address = url.replace('127.0.0.1', 'localhost');
      const child = spawn(process.execPath, [suite, 'server', '--url', address, '--scenario', scenario], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          output += chunk;
        });
      const [status] = (await once(child, 'close')) as [number | null];
      assert.equal(status, 0, output);
      assert.match(output, /Passed: [1-9]\d*\/[1-9]\d*, 0 failed/, output);
    });
  }
});
