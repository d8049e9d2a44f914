import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesIn, isCutOff, parseWebAddress } from '../../lib/params/web-address.js';

const url = 'https://pages.example/in/ada-stoker';

test('text around an address is not part of it', () => {
  for (const text of [
    url,
    `${url},`,
    `${url})`,
    `${url}."`,
    `<${url}>`,
    `(${url})`,
    `"${url}";`,
    `see ${url}, please`,
    `[Ada](${url})`,
    `[${url}](${url})`,
    `\u200e${url}\u202c`,
    `\ufeff${url}`,
    `Ada’s page:\n${url}\n`,
    'pages.example/in/ada-stoker,',
    '(pages.example/in/ada-stoker)',
    'my page is pages.example/in/ada-stoker.',
    `${url} ada.stoker`,
  ]) {
    assert.equal(parseWebAddress(text)?.href, url, text);
  }
});

test('an address within an address is part of it', () => {
  for (const text of [`${url}?next=https://pages.example/x,y`, `${url}?a=b|https://pages.example/`])
    assert.equal(addressesIn(text).length, text.includes('|') ? 2 : 1, text);
  assert.equal(parseWebAddress(`${url}?tags=a,b;c&id==`)?.search, '?tags=a,b;c&id==');
});

test('two addresses are none', () => {
  for (const text of [
    `${url},${url}-2`,
    `${url}, ${url}-2`,
    `${url} ${url}-2`,
    `${url}\n${url}-2`,
    'pages.example/a, pages.example/b',
    'pages.example/a,pages.example/b',
    'pages.example/a|pages.example/b',
    `${url}, pages.example/b`,
    `${url},pages.example/b`,
    `pages.example/b ${url}`,
  ]) {
    assert.equal(addressesIn(text).length, 2, text);
    assert.equal(parseWebAddress(text), null, text);
  }
});

test('other texts are not addresses', () => {
  for (const text of [
    '',
    'ada',
    '@ada',
    'ada stoker',
    'https://',
    'javascript:alert(1)',
    'ftp://pages.example/',
  ])
    assert.equal(parseWebAddress(text), null, text);
});

test('an address that a program cut off is none', () => {
  for (const text of [`${url}…`, `${url}...`, `(${url}…)`, `see ${url}…, please`]) {
    assert.equal(parseWebAddress(text), null, text);
    assert.ok(isCutOff(text), text);
  }
  for (const text of [url, `${url}.`, `${url}..`, `${url} …`, '…', '']) assert.ok(!isCutOff(text), text);
});
