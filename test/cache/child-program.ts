// A process of its own with a cache, started by the tests.
import { createRequire } from 'node:module';
import { openCache } from '../../lib/cache/open-cache.js';
import { say } from '../support/say.js';

const [task = '', file = ''] = process.argv.slice(2);
const answer = (data: string) => ({ data, fetchedAt: '', next: null, prints: [] });
process.on('exit', () => say('exit'));

const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).some((name) => name.includes('sqlite3'))
    ? 'loaded'
    : 'not loaded';

const cache = openCache({ file, memoryBytes: 0, onFault: ({ message }) => say(`fault: ${message}`) });
if (task === 'lazy') {
  say(`opened: ${loaded()}`);
  await cache.get('a');
  say(`asked: ${loaded()}`);
} else if (task === 'fill') {
  // In the lifetime of the test's own clock, which stands at the beginning of 2026.
  for (let n = 0; n < 100; n++) await cache.set(`k${n}`, answer('x'.repeat(10_000)), 10 ** 9);
} else {
  await cache.set('a', answer('1'), 60);
  say((await cache.get('a'))?.data ?? 'nothing');
  if (task === 'closed') await cache.close();
}
