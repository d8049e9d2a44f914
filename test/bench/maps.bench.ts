import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readDetail } from '../../lib/platforms/maps/detail.js';
import { readListing } from '../../lib/platforms/maps/listing.js';
import { firstPhotoPage } from '../../lib/platforms/maps/photo-page.js';
import { readPhoto } from '../../lib/platforms/maps/photo-row.js';
import { placeNodeOf } from '../../lib/platforms/maps/place-page.js';
import { rootOf } from '../../lib/platforms/maps/response-frame.js';
import { reviewPageOf } from '../../lib/platforms/maps/review-page.js';
import { searchNodes } from '../../lib/platforms/maps/search-rows.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { page } from '../../lib/web/page.js';
import { compare, report } from './compare.js';

/** The parts of real bodies that are not read: menus, links, identifiers, words. */
const filling = (rows: number) =>
  Array.from({ length: rows }, (_, at) => [
    `0ahUKEwj_${at}DyAsCgYIBRAAGAcYHg`,
    null,
    [`A sentence of the interface, number ${at} · “mit Umlauten äöü”`, [at, null, 0.5 + at]],
    ['https://www.google.com/local/place/rap/editv2?ag=7', null, [1, 0, null, [at]]],
  ]);

/** A sample body of the size of a real one, with `rows` of filling at the end of each node. */
function realSize(file: string, nodes: (root: unknown[]) => unknown[][], rows: number): Buffer {
  const text = readFileSync(path.join(packageRoot(), 'fixtures', 'maps', file), 'utf8');
  const root = JSON.parse(text.slice(4)) as unknown[];
  for (const node of nodes(root)) node[240] = filling(rows);
  return Buffer.from(`)]}'\n${JSON.stringify(root)}`);
}

const headers = { 'content-type': 'application/json; charset=UTF-8' };
const id = '0x476e3547ac3d37b6:0xa19693887544afce';
const theNode = (root: unknown[]) => [root[6] as unknown[]];

const parsers: readonly [name: string, bytes: Buffer, read: (root: readonly unknown[]) => unknown][] = [
  [
    'places',
    realSize(
      'places/bakeries-1.json',
      (root) => (root[64] as unknown[][]).map((row) => row[1] as unknown[]),
      25,
    ),
    (root) => searchNodes(root, 'bakery').nodes.map(readListing),
  ],
  ['place', realSize('place/rich.json', theNode, 700), (root) => readDetail(placeNodeOf(root, id))],
  ['reviews', realSize('reviews/page-1.json', (root) => [root], 150), (root) => reviewPageOf(root, id)],
  [
    'photos',
    realSize('photos/page-1.json', theNode, 700),
    (root) => firstPhotoPage(placeNodeOf(root, id))?.rows.map(readPhoto),
  ],
];

for (const [name, bytes, read] of parsers) {
  const ratio = await compare(
    () => read(rootOf(page('https://www.google.com/maps', 200, headers, bytes))),
    () => JSON.parse(bytes.toString('utf8').slice(4)),
    // As many runs as make the same work of every body, small or large.
    { repeats: Math.ceil(5_000_000 / bytes.length), warmUp: 6 },
  );
  const size = `${Math.round(bytes.length / 1000)} KB`;
  report(`maps ${name}: body of ${size} → objects against UTF-8 decode + JSON.parse`, ratio, {
    atMost: 1.15,
  });
}
