/**
 * Creates a test case from a folder written by `--save-pages DIR`, replacing the pages' content with invented content:
 *
 * npm run capture -- DIR --name "what it teaches" --endpoint maps/place --param url=… [--param limit=3] [--pages 1]
 *
 * 1. Repeats the call, given by `--endpoint` and each `--param`. `--pages` limits how far a list is followed. 2.
 * Removes what the answer does not need: scripts, styles, large elements and large or unknown parts of the data. 3.
 * Replaces the content by an allow-list (`capture/vocabulary.ts`). A word stays if the platform's readers mention it
 * and its text is shorter than a dozen words. A key, class or attribute also stays if the invented fixtures have it.
 * Every other word, number of three digits or more, coordinate, token and ID is invented, consistently throughout. IDs
 * that derive from one another remain consistent (`capture/linked-ids.ts`); numbers that contain a time keep their
 * week. 4. Repeats the call, and writes the case to `fixtures/<platform>/<endpoint>/captures/`, which is not packaged.
 * Writes nothing if an original word of four letters or number of six digits outside the vocabulary remains, or if the
 * answer has other nulls or list lengths than before.
 *
 * Review the result before committing it: one- and two-digit numbers, single letters and known words remain.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endpoints } from '../lib/endpoints.js';
import { packageRoot } from '../lib/runtime/package-root.js';
import { fromSavedPages, indexName } from '../lib/web/saved-pages.js';
import { anonymise } from './capture/anonymise.js';
import { findCall } from './capture/find-call.js';
import { writeCase } from './capture/write-case.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    endpoint: { type: 'string' },
    pages: { type: 'string', default: '1000' },
    param: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: path.join(packageRoot(), 'fixtures') },
  },
});
const [dir] = positionals;
const endpoint = endpoints.find(({ path }) => path === values.endpoint);
if (dir === undefined || values.name === undefined || endpoint === undefined) {
  throw new Error(
    'Usage: npm run capture -- DIR --name NAME --endpoint PLATFORM/ENDPOINT --param NAME=VALUE… [--pages N] [--out FOLDER]',
  );
}

const params = Object.fromEntries(
  values.param.map((text) => {
    const [name = '', value = ''] = [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)];
    return [name, /^-?\d+(\.\d+)?$/.test(value) && value.length < 12 ? Number(value) : value];
  }),
);
if (!existsSync(path.join(dir, indexName))) {
  throw new Error(`${dir} holds no saved pages. Write some: extract … --save-pages ${dir}`);
}
const call = await findCall(fromSavedPages(dir), endpoint, params, Number(values.pages)).catch(
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
// Each case gets its own words, and the same ones when it is created again.
const seed = [...values.name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) >>> 0;
const anonymous = await anonymise(call, seed);
const slug = values.name
  .toLowerCase()
  .replace(/[^a-z0-9]+/g, '-')
  .slice(0, 40)
  .replace(/^-|-$/g, '');
const folder = path.join(values.out, call.endpoint.path, 'captures');
for (const file of writeCase(folder, slug, values.name, anonymous)) console.log(file);
console.log('Review the case, then run: npm test -- contract/captures');
