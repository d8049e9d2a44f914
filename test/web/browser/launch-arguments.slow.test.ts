import assert from 'node:assert/strict';
import { createHash, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { launchArguments, pinsOf } from '../../../lib/web/browser/launch-arguments.js';
import { authority } from '../../support/authority.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const hosts = ['www.a.example', '.b.example'];

/** The way that the browser would choose, by the script in its arguments. */
function wayTo(url: string, noProxy = ''): string {
  const proxies = {
    httpsProxy: 'http://user:secret@proxy.example:3128',
    httpProxy: 'https://other.example',
    noProxy,
  };
  const [, text = ''] =
    launchArguments(hosts, proxies, [])
      .join('\n')
      .match(/--proxy-pac-url=.*base64,(.*)/) ?? [];
  const script = Buffer.from(text, 'base64').toString();
  assert.doesNotMatch(script, /secret/);
  return String(
    runInNewContext(`${script}; FindProxyForURL(url, host)`, { url, host: new URL(url).hostname }),
  );
}

test('only the named hosts have an address', () => {
  const [rules] = launchArguments(hosts, null, []);
  assert.equal(
    rules,
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE www.a.example , EXCLUDE b.example , EXCLUDE *.b.example',
  );
  assert.ok(launchArguments(hosts, null, []).includes('--no-proxy-server'));
});

test('an http proxy is resolved by its alias, an https proxy by its name and port', () => {
  const [rules] = launchArguments(
    hosts,
    { httpsProxy: 'http://127.0.0.1:3128', httpProxy: 'https://other.example', noProxy: '' },
    [],
  );
  assert.equal(
    rules?.replace(/ , MAP \* .*/, ''),
    '--host-resolver-rules=MAP https-proxy.invalid 127.0.0.1:3128 , MAP other.example other.example:443',
  );
});

test('the proxy is used for allowed hosts outside NO_PROXY', () => {
  assert.equal(wayTo('https://www.a.example/'), 'PROXY https-proxy.invalid:3128');
  assert.equal(wayTo('https://c.b.example/'), 'PROXY https-proxy.invalid:3128');
  assert.equal(wayTo('http://b.example/'), 'HTTPS other.example:443');
  for (const noProxy of ['', '*', 'a.example, elsewhere.example']) {
    assert.equal(wayTo('https://a.example/', noProxy), 'PROXY nowhere.invalid:1');
    assert.equal(wayTo('https://elsewhere.example/', noProxy), 'PROXY nowhere.invalid:1');
  }
  assert.equal(wayTo('https://c.b.example/', 'b.example'), 'DIRECT');
  assert.equal(wayTo('https://c.b.example/', '.b.example, other'), 'DIRECT');
  assert.equal(wayTo('https://c.b.example/', 'b.example:8443'), 'PROXY https-proxy.invalid:3128');
  assert.equal(wayTo('https://c.b.example:8443/', 'b.example:8443'), 'DIRECT');
  assert.equal(wayTo('https://www.a.example/', '*'), 'DIRECT');
});

test('an authority is trusted by the pin of its key', () => {
  const { file } = authority(temporaryFolder());
  const pem = readFileSync(file, 'utf8');
  const key = createPublicKey(pem).export({ type: 'spki', format: 'der' });
  const pin = createHash('sha256').update(key).digest('base64');
  assert.deepEqual(pinsOf(`${pem}\n# another\n${pem}`), [pin, pin]);
  assert.deepEqual(pinsOf('nothing'), []);
  assert.ok(launchArguments(hosts, null, [pin]).includes(`--ignore-certificate-errors-spki-list=${pin}`));
});
