import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { systemClock } from '../../../lib/runtime/clock.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { openStore } from '../../../src/compose/open-store.js';
import { answerOf, refusalOf } from '../../faces/mcp/call-tool.js';
import { browsersOf } from '../../support/browser-load.js';
import { type BrowserSite, browserSite, noBrowser, sharedByFile } from '../../support/browser-site.js';
import { shortvideoSite } from '../../support/shortvideo-site.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const program = path.join(packageRoot(), 'bin', 'extract.js');
/** A video of the site; each has a list of comments that plain requests are refused. */
const video = (at: number) => String(7_571_863_205_253_778_000n + BigInt(at));
const readBy = 'read by the browser';

interface LogLine {
  readonly msg: string;
  readonly request_id: string;
  readonly endpoint: string;
}

describe('a server and tools with a browser', { skip: noBrowser, timeout: 300_000 }, () => {
  const [home, toolsHome, certificates] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const children: ChildProcess[] = [];
  const output = { out: '', err: '' };
  const shared = sharedByFile();
  let site: BrowserSite;
  let environment: Record<string, string>;
  let server: ChildProcess;
  let url = '';
  /** Secrets of two accounts. */
  let secrets: readonly string[] = [];

  before(async () => {
    site = await browserSite(shared, certificates, shortvideoSite());
    const { ledger, accounts } = await openStore(home, systemClock, 0);
    secrets = await Promise.all(
      ['ann@example.com', 'bob@example.com'].map(async (email) => {
        const { id: account } = await accounts.create({ email, verified: true, credits: 10_000 });
        return (await accounts.createKey({ account, name: 'one', platforms: null })).secret;
      }),
    );
    await ledger.close();
    environment = { ...(process.env as Record<string, string>), ...site.env, EXTRACT_BROWSER: 'auto' };
    server = spawn(process.execPath, [program, 'serve'], {
      env: {
        ...environment,
        EXTRACT_HOME: home,
        EXTRACT_PORT: '0',
        EXTRACT_METRICS_OPEN: 'true',
        EXTRACT_BROWSER_CONTEXTS: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(server);
    server.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output.out += text;
    });
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output.err += text;
    });
    while (url === '') {
      assert.equal(server.exitCode, null, output.err);
      await sleep(50);
      url = /Listening on (\S+)\n/.exec(output.err)?.[1] ?? '';
    }
  });
  after(async () => {
    for (const child of children) {
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await once(child, 'close');
      }
    }
  });

  async function ask(secret: string, at: string, body?: object) {
    const response = await fetch(`${url}${at}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text };
  }
  const commentsOf = (secret: string, at: number) =>
    ask(secret, `/v1/shortvideo/comments?id=${video(at)}`).then(({ status, text }) => {
      assert.equal(status, 200, text);
      return JSON.parse(text) as { data: unknown[]; meta: { request_id: string; credits_charged: number } };
    });
  const logLines = () =>
    output.out
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogLine)
      .filter(({ msg }) => msg === readBy);
  const [ann, bob] = [() => secrets[0] ?? '', () => secrets[1] ?? ''];

  test('a route returns what the browser received, logged and counted', async () => {
    const { data, meta } = await commentsOf(ann(), 1);
    assert.deepEqual([data.length, meta.credits_charged], [20, 3]);
    assert.deepEqual(
      logLines().map(({ request_id, endpoint }) => [request_id, endpoint]),
      [[meta.request_id, 'shortvideo/comments']],
    );
    const { text } = await ask(ann(), '/metrics');
    assert.match(text, /^extract_answers_total\{endpoint="shortvideo\/comments",source="browser"\} 1$/m);
    // What the plain way answers counts as ever.
    assert.equal((await ask(ann(), `/v1/shortvideo/video?id=${video(1)}`)).status, 200);
    const plain = await ask(ann(), '/metrics');
    assert.match(plain.text, /^extract_answers_total\{endpoint="shortvideo\/video",source="fetch"\} 1$/m);
  });

  test('a job reads its lines with the browser', async () => {
    const inputs = [11, 12, 13].map((at) => ({ id: video(at) }));
    const reply = await ask(ann(), '/v1/jobs', { endpoint: 'shortvideo/comments', inputs });
    assert.equal(reply.status, 202, reply.text);
    const { id } = JSON.parse(reply.text).data as { id: string };
    for (;;) {
      const { status } = JSON.parse((await ask(ann(), `/v1/jobs/${id}`)).text).data as { status: string };
      if (status === 'done') break;
      assert.notEqual(status, 'failed');
      await sleep(100);
    }
    const { text } = await ask(ann(), `/v1/jobs/${id}/results`);
    const lines = text.trim().split('\n');
    assert.equal(lines.length, 3);
    for (const line of lines) assert.equal(JSON.parse(line).data.length, 20, line.slice(0, 300));
    assert.equal(logLines().length, 4);
  });

  test('tools use the browser over HTTP', async (t) => {
    const client = new Client({ name: 'test', version: '1' });
    t.after(() => client.close());
    const headers = { authorization: `Bearer ${ann()}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    );
    const { data } = await answerOf(client, 'get_shortvideo_comments', { id: video(21), limit: 20 });
    assert.equal((data as unknown[]).length, 20);
    const { text } = await ask(ann(), '/metrics');
    assert.match(text, /^extract_answers_total\{endpoint="shortvideo\/comments",source="browser"\} 5$/m);
    assert.equal(logLines().length, 5);
  });

  test('accounts take turns, and share one browser', async () => {
    const ended: string[] = [];
    const many = [31, 32, 33, 34, 35, 36].map((at) =>
      commentsOf(ann(), at).then(() => {
        ended.push('ann');
        return browsersOf(server.pid ?? 0).length;
      }),
    );
    // All six wait for the same slot before another caller arrives.
    while (site.requests.filter((one) => /comment\/list.*aweme_id=\d+03[1-6]&/.test(one)).length < 6)
      await sleep(20);
    await commentsOf(bob(), 41).then(() => ended.push('bob'));
    assert.ok(ended.length <= 4, `before the other account came: ${ended}`);
    assert.deepEqual([...new Set(await Promise.all(many))], [1]);
  });

  test('tools use the browser over stdin and stdout', async (t) => {
    const tools = async (use: string) => {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [program, 'mcp', '--account', 'local'],
        env: { ...environment, EXTRACT_HOME: toolsHome, EXTRACT_BROWSER: use },
        stderr: 'inherit',
      });
      await client.connect(transport);
      t.after(() => client.close());
      return client;
    };
    const [plain, browsing] = [await tools('never'), await tools('auto')];
    const input = { id: video(51), limit: 20 };
    assert.equal((await refusalOf(plain, 'get_shortvideo_comments', input)).code, 'platform_blocked');
    const { data } = await answerOf(browsing, 'get_shortvideo_comments', input);
    assert.equal((data as unknown[]).length, 20);
  });

  test('the browser ends with the server', async () => {
    const [browser] = browsersOf(server.pid ?? 0);
    assert.ok(browser !== undefined);
    server.kill('SIGTERM');
    await once(server, 'close');
    assert.throws(() => process.kill(browser, 0), { code: 'ESRCH' });
  });
});
