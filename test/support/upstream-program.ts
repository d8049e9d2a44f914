import { createServer } from 'node:http';

/**
 * A platform of the tests' own, in a process of its own. What a name begins with decides what its page is:
 * `missing` no such account, `changed` a page without its data, `hang` no answer ever, `block` refused for good,
 * `shy` refused at the first request. Anything else is an account. The first argument is the pages' size in KB.
 */
const size = Number(process.argv[2] ?? 2) * 1000;
const line =
  '<div class="row"><span class="label">A line of the page</span><a href="/p/other">other</a></div>\n';
const words = JSON.stringify(
  Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [`key_${at}`, `A sentence of the interface, ${at}`]),
  ),
);
const [head, tail] =
  size > 10_000 ? [line.repeat((size - 6500) / line.length / 2), `"words":${words},`] : ['', ''];

function page(name: string): string {
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
  const data = `{${tail}"user":${name.startsWith('missing') ? 'null' : JSON.stringify(user)}}`;
  const script = name.startsWith('changed')
    ? ''
    : `<script id="data" type="application/json">${data}</script>`;
  return `<!doctype html><html><body>${head}${script}${head}</body></html>`;
}

const asked = new Map<string, number>();
let requests = 0;

const server = createServer((request, response) => {
  const name = decodeURIComponent((request.url ?? '').split('/')[2] ?? '');
  if (request.url === '/requests') {
    response.end(JSON.stringify({ requests, most: Math.max(0, ...asked.values()) }));
    return;
  }
  requests += 1;
  if (/^[a-z]+-?seen/.test(name) || name.startsWith('shy')) asked.set(name, (asked.get(name) ?? 0) + 1);
  if (name.startsWith('hang')) return;
  if (name.startsWith('block') || (name.startsWith('shy') && asked.get(name) === 1)) {
    response.writeHead(403, { 'content-type': 'text/html' }).end('Access denied');
    return;
  }
  const body = Buffer.from(page(name));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : 0);
});
process.on('disconnect', () => process.exit());
