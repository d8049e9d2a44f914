import { createWriteStream, readFileSync } from 'node:fs';
import { Configuration, HttpCrawler, LogLevel, log } from '@crawlee/http';
import { accountKey, scriptStart } from '../../support/upstream-page.js';
import { tellCost, wantedRun } from './run.js';

/** The same with a crawler of the field: its queue in memory, no sessions, no retries, nothing logged. */
const { origin, input, output, concurrency } = wantedRun();
const names = readFileSync(input, 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { username: string }).username);

log.setLevel(LogLevel.OFF);
const tell = tellCost();
const out = createWriteStream(output);
let done = 0;
const crawler = new HttpCrawler(
  {
    minConcurrency: concurrency,
    maxConcurrency: concurrency,
    useSessionPool: false,
    maxRequestRetries: 0,
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
  new Configuration({ persistStorage: false }),
);
await crawler.run(names.map((username) => ({ url: `${origin}/p/${username}`, userData: { username } })));
await new Promise<void>((resolve) => out.end(resolve));
tell(done);
process.exit(0);
