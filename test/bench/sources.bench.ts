// What sources add to the time of a batch over each endpoint's sample, for a thousand items: reading, answers and all.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { endpoints } from '../../lib/endpoints.js';
import { createExtractor } from '../../lib/extractor.js';
import { casesOf } from '../../lib/samples.js';
import { compare, report } from './compare.js';

const items = 1_000;
/** Milliseconds of processor time that this process has used: a twentieth is less than what others on the machine take. */
function busyMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const home = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const extractor = createExtractor({ home });

for (const endpoint of endpoints) {
  const [sample] = await casesOf(endpoint);
  const params = { ...sample?.params, demo: true };
  const answer = (sources: boolean) => extractor.answer(endpoint, sources ? { ...params, sources } : params);
  const data: unknown = JSON.parse((await answer(false)).json);
  const repeats = Math.ceil(items / (Array.isArray(data) ? data.length : 1));
  const ratio = await compare(
    () => answer(true),
    () => answer(false),
    { rounds: 7, repeats, warmUp: 1, now: busyMs },
  );
  report(`${endpoint.path}: ${items} items with sources beside without`, ratio, { atMost: 1.05 });
}
await extractor.close();
rmSync(home, { recursive: true, force: true });
