// What `sources` add to the processor time of a batch of a thousand inputs of each endpoint, each of an item or more.
// `npm run bench sources 5000` says how many inputs: the more, the smaller the difference that can be told.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { endpoints } from '../../lib/endpoints.js';
import { siteApart } from '../support/browser-load.js';
import { fromSource } from '../support/from-source.js';
import { type Ratio, report } from './compare.js';

const inputs = process.argv[2] ?? '1000';
const program = path.join(import.meta.dirname, 'sources-program.ts');
for (const endpoint of endpoints) {
  const site = await siteApart(endpoint.path);
  const args = [...fromSource, program, endpoint.path, inputs];
  const env = { ...process.env, ...site.env };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  const ratio = JSON.parse(stdout) as Ratio;
  report(`${endpoint.path}: a batch with sources beside one without`, ratio, { atMost: 1.05 });
  site.end();
}
