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
  test('is recognised by its address, by a redirect’s target, or by its form', () => {
    assert.ok(isConsentWall(pageOf('<html>', { url: wall })));
    assert.ok(isConsentWall(pageOf('', { url: 'https://consent.google.de/ml?continue=x' })));
    assert.ok(isConsentWall(pageOf('', { status: 302, headers: { location: wall } })));
    assert.ok(isConsentWall(pageOf(`<html>${accept}`)));
    assert.ok(isConsentWall(pageOf('<html><base href="https://consent.google.com/">')));
  });

  test('is no body of data and no other page', () => {
    assert.ok(!isConsentWall(pageOf(`)]}'\n["action=\\"${save}\\""]`, { url: wall })));
    assert.ok(!isConsentWall(pageOf('<html>')));
    assert.ok(!isConsentWall(pageOf('<html>', { headers: { location: wall } })));
    assert.ok(!isConsentWall(pageOf('<html>', { url: 'not an address' })));
  });
});

describe('the form that says no', () => {
  test('is the one that sets only what is needed, with all its fields in order', () => {
    assert.equal(rejectForm(`<html>${accept}${reject}`)?.toString(), 'gl=AT&set_eom=true');
  });

  test('is read however its attributes are written', () => {
    const inputs = [
      '<input value=1 name=a>',
      "<input value='x&amp;y' name='b'/>",
      '<INPUT NAME="c">',
      '<input value="nameless">',
    ];
    const html = form(...inputs, '<input value="true" type="hidden" name="set_eom">');
    assert.equal(rejectForm(html)?.toString(), 'a=1&b=x%26y&c=&set_eom=true');
  });

  test('may name its address from the root of the consent host', () => {
    assert.equal(rejectForm(reject.replace(save, '/save'))?.get('set_eom'), 'true');
  });

  test('is none where there is only the other one, another address, or half a form', () => {
    for (const html of [
      '',
      accept,
      reject.replace(save, 'https://evil.example/save'),
      reject.replace('</form>', ''),
      reject.replace('<form action', '<form data-action'),
      '<form'.repeat(100_000),
    ]) {
      assert.equal(rejectForm(html), null, html.slice(0, 80));
    }
  });
});

test('a hostile form is read in a moment', () => {
  const startedAt = busyMs();
  assert.equal(rejectForm(form('<input '.repeat(250_000))), null);
  assert.ok(busyMs() - startedAt < 2_000);
});

describe('going behind the wall', () => {
  const url = 'https://www.google.com/maps/preview/place?x';
  const walled: Route = { url, body: reject, finalUrl: wall };
  const go = async (...routes: readonly Route[]) => {
    const session = routeSource('.', routes).open(site);
    return { page: await passConsentWall(session, { url }, await session.fetch({ url })), session };
  };

  test('answers the form and repeats the request', async () => {
    const { page, session } = await go(
      walled,
      { url, body: ")]}'\n[1]" },
      {
        url: save,
        method: 'POST',
        requestBody: '^gl=AT&set_eom=true$',
        headers: { 'set-cookie': 'SOCS=no; Domain=.google.com' },
      },
    );
    assert.equal(page.text(), ")]}'\n[1]");
    assert.equal(session.cookie(url, 'SOCS'), 'no');
  });

  test('takes the answer where the form itself leads on to it', async () => {
    const { page } = await go(
      walled,
      { url, body: 'asked twice' },
      { url: save, body: ")]}'\n[2]", finalUrl: url },
    );
    assert.equal(page.text(), ")]}'\n[2]");
  });

  test('requests nothing where there is no wall, and returns the wall where it has no such form', async () => {
    assert.equal((await go({ url, body: ")]}'\n[3]" })).page.text(), ")]}'\n[3]");
    assert.ok(isConsentWall((await go({ url, body: accept, finalUrl: wall })).page));
  });
});
