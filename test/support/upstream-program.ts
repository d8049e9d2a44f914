import { createServer } from 'node:http';
import { accountKey, scriptStart } from './upstream-page.js';

/**
 * A test platform in a separate process. The beginning of a name decides its page. `missing` does not exist, `changed`
 * is a page without its data, and `hang` never answers. `block` is always refused, `shy` only at the first request. Any
 * other name is an account. The first argument is the pages' size in KB.
 */
const size = Number(process.argv[2] ?? 2) * 1000;

// A large page resembles real ones, of which two of 500 KB were captured in 2025-12: half of it is markup, followed by
// the data script (45 % and 53 %) with the account at its end. Three quarters of the script are UI strings, and the
// account is less than a hundredth.
const line =
  '<div class="row"><span class="label">A line of the page</span><a href="/p/other">other</a></div>\n';
const half = size > 10_000 ? size / 2 : 0;
const markup = Buffer.from(line.repeat(half / line.length));
const sentence = (at: number) => [`key_${at}`, `A sentence of the interface, ${at}`] as const;
const sentences = Object.fromEntries(Array.from({ length: Math.floor(half / 47) }, (_, at) => sentence(at)));
const words = Buffer.from(half > 0 ? `"words":${JSON.stringify(sentences)},` : '');

const open = Buffer.from('<!doctype html><html><body>');
const script = Buffer.from(`${scriptStart}{`);
const end = Buffer.from('</body></html>');

function page(name: string): Buffer {
  const user = {
    name,
    nick: `The account “${name}”`,
    bio: 'Bread, rivers and maps.\nNo two alike.',
    followers: 1000 + name.length,
    following: 12,
    likes: null,
    verified: name.length % 2 === 0,
    link: `https://example.org/${name}`,
  };
  if (name.startsWith('changed')) return Buffer.concat([open, markup, end]);
  const account = Buffer.from(
    `"${accountKey}":${name.startsWith('missing') ? 'null' : JSON.stringify(user)}}</script>`,
  );
  return Buffer.concat([open, markup, script, words, account, end]);
}

const timesAsked = new Map<string, number>();
let requests = 0;

const server = createServer((request, response) => {
  const name = decodeURIComponent((request.url ?? '').split('/')[2] ?? '');
  if (request.url === '/requests') {
    response.end(JSON.stringify({ requests, most: Math.max(0, ...timesAsked.values()) }));
    return;
  }
  requests += 1;
  if (/^[a-z]+-?seen/.test(name) || name.startsWith('shy'))
    timesAsked.set(name, (timesAsked.get(name) ?? 0) + 1);
  if (name.startsWith('hang')) return;
  if (name.startsWith('block') || (name.startsWith('shy') && timesAsked.get(name) === 1)) {
    response.writeHead(403, { 'content-type': 'text/html' }).end('Access denied');
    return;
  }
  const body = page(name);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : 0);
});
process.on('disconnect', () => process.exit());
