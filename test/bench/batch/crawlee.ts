import { createWriteStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { Configuration, HttpCrawler, LogLevel, log } from '@crawlee/http';
import { accountKey, scriptStart } from '../../support/upstream-page.js';
import { reportCost, wantedRun } from './run.js';

/**
 * The same with a well-known crawler and its default settings. It has sessions, retries, and its queue on the disk. A
 * run can continue after a crash as ours can. With `bare` it has none of these, and keeps its queue in memory.
 */
const { origin, input, output, concurrency, bare } = wantedRun();
const names = readFileSync(input, 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { username: string }).username);

log.setLevel(LogLevel.OFF);
const report = reportCost();
const out = createWriteStream(output);
let done = 0;
const crawler = new HttpCrawler(
  {
    minConcurrency: concurrency,
    maxConcurrency: concurrency,
    ...(bare ? { useSessionPool: false, maxRequestRetries: 0 } : {}),
    async requestHandler({ body, request }) {
      const text = body.toString();
      const from = text.indexOf(scriptStart) + scriptStart.length;
      const { [accountKey]: user } = JSON.parse(text.slice(from, text.indexOf('</script>', from))) as {
        [accountKey]: object;
      };
      out.write(`${JSON.stringify({ input: request.userData, data: user })}\n`);
      done += 1;
    },
  },
  new Configuration({
    persistStorage: !bare,
    storageClientOptions: { localDataDirectory: path.join(path.dirname(output), 'storage') },
  }),
);
await crawler.run(names.map((username) => ({ url: `${origin}/p/${username}`, userData: { username } })));
await new Promise<void>((resolve) => out.end(resolve));
report(done);
process.exit(0);
