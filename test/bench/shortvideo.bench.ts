import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readProfile } from '../../lib/platforms/shortvideo/profile-page.js';
import { scriptById } from '../../lib/read/json.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { page } from '../../lib/web/page.js';
import { compare, report } from './compare.js';

/** A sample page of the size of a real one: 500 KB, of which 245 KB are the data block. */
function realSize(html: string): Buffer {
  const words = JSON.stringify(
    Object.fromEntries(
      Array.from({ length: 3000 }, (_, at) => [
        `key_${at}`,
        `A sentence of the interface, number ${at}, with its “quotes”`,
      ]),
    ),
  );
  const block = html.replace(
    '"webapp.i18n-translation":{',
    () => `"webapp.i18n-more":${words},"webapp.i18n-translation":{`,
  );
  return Buffer.from(
    block.replace(
      '<body>',
      () => `<body>${'<div class="tux-text css-1abc">A line of the page</div>'.repeat(4600)}`,
    ),
  );
}

const file = path.join(packageRoot(), 'fixtures', 'shortvideo', 'profile', 'rich.html');
const bytes = realSize(readFileSync(file, 'utf8'));
const headers = { 'content-type': 'text/html; charset=utf-8' };
const block = scriptById(bytes.toString('utf8'), '__UNIVERSAL_DATA_FOR_REHYDRATION__') ?? '';
console.log(
  `a page of ${Math.round(bytes.length / 1000)} KB with a data block of ${Math.round(block.length / 1000)} KB`,
);

const ratio = await compare(
  () => readProfile(page('https://www.tiktok.com/@mira.kettle', 200, headers, bytes), 'mira.kettle'),
  () => {
    bytes.toString('utf8');
    JSON.parse(block);
  },
);
report('shortvideo profile: page → object against UTF-8 decode + JSON.parse', ratio, { atMost: 1.15 });
