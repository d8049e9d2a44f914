// A site in a separate process, so that its cost is not counted. Its pages have 300 KB, scripts and pictures, and
// request a list from a script. Its first line of output names its proxy and its authority.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Answers, browserSite } from './browser-site.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-site-'));
const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];

const rows =
  '<div class="row"><span class="label">A line of the page</span><a href="/p/other">other</a></div>\n'.repeat(
    3000,
  );
const script = `${'// a line of the page’s scripts\n'.repeat(3000)}window.words = Array.from({ length: 20000 }, (_, at) => 'word ' + at).join(' ');`;
const list = JSON.stringify({
  items: Array.from({ length: 200 }, (_, at) => ({ id: at, text: 'A row of the list' })),
});
const pictures = Array.from({ length: 20 }, (_, at) => `<img src="/picture/${at}.jpg">`).join('');

const heavy: Answers = ({ path: at }) => {
  if (at.startsWith('/script')) return { headers: { 'content-type': 'text/javascript' }, body: script };
  if (at.startsWith('/picture'))
    return { headers: { 'content-type': 'image/jpeg' }, body: 'x'.repeat(30_000) };
  if (at === '/api/list') return { headers: { 'content-type': 'application/json' }, body: list };
  return {
    body: `<!doctype html><title>A page</title>${pictures}${rows}<script src="/script/${at.length}.js"></script><script>fetch('/api/list' + location.search)</script>`,
  };
};
const { proxyUrl, caFile, env } = await browserSite({ after: (done) => endings.push(done) }, folder, heavy);
console.log(JSON.stringify({ proxyUrl, caFile, env }));
process.on('disconnect', () => {
  for (const done of endings) done();
  process.exit();
});
