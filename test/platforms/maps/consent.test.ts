import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rejectForm } from '../../../lib/platforms/maps/consent-form.js';
import { isConsentWall } from '../../../lib/platforms/maps/consent-wall.js';
import { passConsentWall } from '../../../lib/platforms/maps/fetch-past-consent.js';
import { site } from '../../../lib/platforms/maps/site.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { busyMs } from '../../support/loop-watch.js';
import { pageOf } from '../../support/pages.js';

const save = 'https://consent.google.com/save';
const wall = 'https://consent.google.com/m?continue=https://www.google.com/maps';
const form = (...inputs: readonly string[]) =>
  `<form action="${save}" method="POST">${inputs.join('')}<button>x</button></form>`;
const reject = form('<input type="hidden" name="gl" value="AT">', '<input name="set_eom" value="true">');
const accept = form('<input name="set_sc" value="true">', '<input name="set_eom" value="false">');

describe('the consent wall', () => {
  const location = { location: wall };
  for (const [name, answer, isWall] of [
    ['its address', pageOf('<html>', { url: wall }), true],
    ['its address in another country', pageOf('', { url: 'https://consent.google.de/ml?continue=x' }), true],
    ['a redirect to it', pageOf('', { status: 302, headers: location }), true],
    ['its form', pageOf(`<html>${accept}`), true],
    ['its base', pageOf('<html><base href="https://consent.google.com/">'), true],
    ['data', pageOf(`)]}'\n["action=\\"${save}\\""]`, { url: wall }), false],
    ['another page', pageOf('<html>'), false],
    ['another page that names it in a header', pageOf('<html>', { headers: location }), false],
    ['another page without a valid address', pageOf('<html>', { url: 'not an address' }), false],
  ] as const) {
    test(`is ${isWall ? 'recognised by' : 'not'} ${name}`, () => assert.equal(isConsentWall(answer), isWall));
  }
});

describe('the form that rejects cookies', () => {
  const eom = '<input value="true" type="hidden" name="set_eom">';
  const unusual = ['<input value=1 name=a>', "<input value='x&amp;y' name='b'/>", '<INPUT NAME="c">'];
  for (const [name, html, fields] of [
    ['is sent with all its fields in order', `<html>${accept}${reject}`, 'gl=AT&set_eom=true'],
    [
      'may have its attributes in any form',
      form(...unusual, '<input value="x">', eom),
      'a=1&b=x%26y&c=&set_eom=true',
    ],
    ['may have an address from the root', reject.replace(save, '/save'), 'gl=AT&set_eom=true'],
    ['is missing on an empty page', '', undefined],
    ['is missing next to the accepting form', accept, undefined],
    ['is ignored if it leads to another host', reject.replace(save, 'https://evil.example/save'), undefined],
    ['is ignored without its end', reject.replace('</form>', ''), undefined],
    ['is ignored without its address', reject.replace('<form action', '<form data-action'), undefined],
    ['is missing in a page of unclosed forms', '<form'.repeat(100_000), undefined],
  ] as const) {
    test(name, () => assert.equal(rejectForm(html)?.toString(), fields));
  }
});

test('a hostile form is parsed within two seconds', () => {
  const startedAt = busyMs();
  assert.equal(rejectForm(form('<input '.repeat(250_000))), null);
  assert.ok(busyMs() - startedAt < 2_000);
});

describe('passing the consent wall', () => {
  const url = 'https://www.google.com/maps/preview/place?x';
  const walled: Route = { url, body: reject, finalUrl: wall };
  const go = async (...routes: readonly Route[]) => {
    const session = routeSource('.', routes).open(site);
    return { page: await passConsentWall(session, { url }, await session.fetch({ url })), session };
  };

  test('submits the form and repeats the request', async () => {
    const { page, session } = await go(
      walled,
      { url, body: ")]}'\n[1]" },
      {
        ...{ url: save, method: 'POST', requestBody: '^gl=AT&set_eom=true$' },
        headers: { 'set-cookie': 'SOCS=no; Domain=.google.com' },
      },
    );
    assert.equal(page.text(), ")]}'\n[1]");
    assert.equal(session.cookie(url, 'SOCS'), 'no');
  });

  test('returns the page that the form itself leads to', async () => {
    const answer = { url: save, body: ")]}'\n[2]", finalUrl: url };
    assert.equal((await go(walled, { url, body: 'asked twice' }, answer)).page.text(), ")]}'\n[2]");
  });

  test('requests nothing without a wall, and returns a wall without such a form', async () => {
    assert.equal((await go({ url, body: ")]}'\n[3]" })).page.text(), ")]}'\n[3]");
    assert.ok(isConsentWall((await go({ url, body: accept, finalUrl: wall })).page));
  });
});
