import { createWriteStream, readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { accountKey, scriptStart } from '../../support/upstream-page.js';
import { reportCost, wantedRun } from './run.js';

/** The least that can be done by hand: fetch, cut, JSON.parse, write. No order, no money, no errors, no second run. */
const { origin, input, output, concurrency } = wantedRun();
const names = readFileSync(input, 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { username: string }).username);

const report = reportCost();
const pool = new Pool(origin, { connections: concurrency });
const out = createWriteStream(output);
let next = 0;
async function worker(): Promise<void> {
  while (next < names.length) {
    const username = names[next] as string;
    next += 1;
    const { body } = await pool.request({ path: `/p/${username}`, method: 'GET' });
    const text = await body.text();
    const from = text.indexOf(scriptStart) + scriptStart.length;
    const { [accountKey]: user } = JSON.parse(text.slice(from, text.indexOf('</script>', from))) as {
      [accountKey]: Record<string, unknown>;
    };
    const data = {
      username: user.name,
      display_name: user.nick,
      bio: user.bio,
      follower_count: user.followers,
      following_count: user.following,
      likes_count: user.likes,
      is_verified: user.verified,
      link: user.link,
    };
    out.write(`${JSON.stringify({ input: { username }, data })}\n`);
  }
}
await Promise.all(Array.from({ length: concurrency }, worker));
await new Promise<void>((resolve) => out.end(resolve));
report(names.length);
await pool.close();
