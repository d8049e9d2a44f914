import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readPost } from '../../lib/platforms/photosocial/post-answer.js';
import { readProfile } from '../../lib/platforms/photosocial/profile-answer.js';
import { readTimeline } from '../../lib/platforms/photosocial/timeline.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { page } from '../../lib/web/page.js';
import { compare, report } from './compare.js';

const headers = { 'content-type': 'text/html; charset=utf-8' };
const fixture = (name: string) =>
  readFileSync(path.join(packageRoot(), 'fixtures', 'photosocial', name), 'utf8');

/** Data blocks of the interface, as real pages have hundreds of KB of them: none of them is wanted. */
const others = Array.from(
  { length: 30 },
  (_, at) =>
    `<script type="application/json" data-content-len="16000" data-sjs>${JSON.stringify({
      require: [
        [
          'Bootloader',
          `handle${at}`,
          null,
          Array.from({ length: 160 }, (__, row) => `module_${at}_${row}_of_the_interface “x”`.repeat(2)),
        ],
      ],
    })}</script>`,
).join('\n');

/** A sample page of a real one's size (0.7 MB), with twelve posts of the owner in its data. */
function realSize(html: string): Buffer {
  const preload = `<link rel="preload" href="https://static.cdninstagram.com/rsrc.php/v4/yx/r/invented.js" as="script">\n`;
  return Buffer.from(
    html
      .replace('</head>', () => `${preload.repeat(1500)}</head>`)
      .replace('<body>', () => `<body>${others}`),
  );
}

/** The blocks that a reader of the page cannot do without. */
function blocksOf(html: string, ...marks: readonly string[]): string[] {
  return [...html.matchAll(/<script type="application\/json"[^>]*>(.*?)<\/script>/gs)]
    .map(([, json = '']) => json)
    .filter((json) => marks.some((mark) => json.includes(mark)));
}

async function measure(
  what: string,
  name: string,
  marks: readonly string[],
  read: (bytes: Buffer) => unknown,
): Promise<void> {
  const bytes = realSize(fixture(name));
  const blocks = blocksOf(bytes.toString('utf8'), ...marks);
  const size = blocks.reduce((sum, block) => sum + block.length, 0);
  const ratio = await compare(
    () => read(bytes),
    () => {
      bytes.toString('utf8');
      for (const block of blocks) JSON.parse(block);
    },
  );
  const sizes = `${Math.round(bytes.length / 1000)} KB, blocks ${Math.round(size / 1000)} KB`;
  report(`photosocial ${what}: page → object against UTF-8 decode + JSON.parse (${sizes})`, ratio, {
    atMost: 1.15,
  });
}

const url = 'https://www.instagram.com/harbor.lantern/';
await measure('profile', 'profile/rich.html', ['"follower_count":'], (bytes) =>
  readProfile(page(url, 200, headers, bytes), 'page', 'harbor.lantern'),
);
await measure('posts', 'posts/rich.html', ['"polaris_ordered_timeline_connection":'], (bytes) =>
  readTimeline(page(url, 200, headers, bytes), 'page', 'harbor.lantern'),
);
const { shortcode } = JSON.parse(fixture('post/rich.expected.json')) as { shortcode: string };
await measure('post', 'post/rich.html', ['"xig_polaris_media":'], (bytes) =>
  readPost(page(url, 200, headers, bytes), 'page', shortcode),
);
