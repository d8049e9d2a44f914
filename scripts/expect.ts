// Writes the answers for an endpoint's cases to their expected files. For new fixtures; review before committing.
// Usage: tsx scripts/expect.ts <platform>/<endpoint> [case name]
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { endpoints } from '../lib/endpoints.js';
import { casesOf } from '../lib/samples.js';
import { pagesOf } from '../test/support/cases.js';
import { fixturesOf } from '../test/support/fixtures.js';

const [endpointPath, name] = process.argv.slice(2);
const endpoint = endpoints.find((one) => one.path === endpointPath);
if (endpoint === undefined) throw new Error(`no endpoint ${endpointPath}`);
for (const one of await casesOf(endpoint)) {
  if (one.expect === undefined || (name !== undefined && one.name !== name)) continue;
  const pages = await pagesOf(endpoint, one);
  if (pages.length !== one.expect.length) {
    throw new Error(`${one.name}: ${pages.length} pages, ${one.expect.length} expected`);
  }
  for (const [index, data] of pages.entries()) {
    const file = path.join(fixturesOf(endpoint), one.expect[index] as string);
    writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`);
    console.log(file);
  }
}
