import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import stringWidth from 'string-width';
import { drawCard, drawList } from '../../../../src/faces/cli/view/draw.js';
import { select } from '../../../../src/output/selection.js';
import { controlCharacters } from '../../../support/control-characters.js';
import { aHarbour, harbour } from '../../../support/invented-rows.js';

const look = (width: number) => ({ color: false, width });
const widest = (text: string) => Math.max(...text.split('\n').map((line) => stringWidth(line)));
const list = (items: readonly unknown[], width: number, fields: readonly string[] | null = null) => {
  const { parts, omitted, further } = drawList(items, select(harbour, true, fields), look(width));
  return { text: [...parts].join(''), omitted, further };
};

const long = aHarbour({
  note: 'A long text about the harbour, its boats and the people who look after them, day by day. '.repeat(4),
  page_url: `https://harbours.example/${'a'.repeat(150)}`,
  boats: [
    { name: 'A boat whose name goes on and on, as long as its wake', length: 7.5 },
    { name: 'Heron', length: null },
  ],
});

describe('a card', () => {
  test('every field has its line, inner objects and lists of objects are indented', () => {
    assert.equal(
      drawCard(aHarbour(), look(60)),
      `name      Little Quay
berths    12
location  -41.50000, 8.25000
open      yes
tags      calm, deep
boats (1)
  • Heron · length 7.5
page_url  https://harbours.example/little-quay
note      –
`,
    );
  });

  test('no line is wider than the terminal, and nothing is lost', () => {
    for (const width of [20, 40, 80, 120]) {
      const text = drawCard(long, look(width));
      assert.ok(widest(text) <= width, `${width}: ${widest(text)}`);
      assert.equal(text.replace(/[^a]/g, '').length >= 150, true);
    }
  });

  test('line breaks of a text stay, under its beginning', () => {
    assert.match(drawCard(aHarbour({ note: 'one\ntwo' }), look(60)), /note {6}one\n {10}two\n/);
  });

  test('text that is empty is told from one that is not known', () => {
    assert.match(drawCard(aHarbour({ note: '' }), look(60)), /note {6}""\n/);
  });
});

describe('a list', () => {
  const items = [aHarbour(), aHarbour({ name: 'Great Quay', berths: 120_000, open: null })];

  test('is a table: names, then rows, numbers to the right', () => {
    const { text } = list(items, 120);
    assert.equal(
      text,
      `name          berths  location.lat  location.lng  open  tags
Little Quay       12         -41.5          8.25  yes   calm, deep
Great Quay   120,000         -41.5          8.25  –     calm, deep
`,
    );
  });

  test('names the fields that it leaves out: for lack of width, and for what they hold', () => {
    assert.deepEqual(list(items, 120).omitted, []);
    assert.deepEqual(list(items, 60).omitted, ['tags']);
    assert.deepEqual(list(items, 60).further, ['boats', 'page_url', 'note']);
  });

  test('has the columns of an order of interest, alone', () => {
    const { parts, omitted, further } = drawList(
      items,
      select(harbour, true, null, ['tags', 'open', 'name', 'note']),
      look(40),
    );
    assert.match([...parts].join(''), /^tags {8}open {2}name\n/);
    assert.deepEqual(omitted, []);
    assert.deepEqual(further, ['berths', 'location.lat', 'location.lng', 'boats', 'page_url', 'note']);
  });

  test('has the numbers of a column alike', () => {
    const rows = [aHarbour({ berths: 4871 }), aHarbour({ berths: 18_200, location: { lat: 7, lng: 1 } })];
    const { text } = list(rows, 120);
    assert.match(text, / {2}4,871 .* -41\.5 .* 8\.25 /);
    assert.match(text, / 18,200 .* 7\.0 .* 1\.00 /);
  });

  test('no line is wider than the terminal', () => {
    for (const width of [20, 40, 60, 80, 120, 200])
      assert.ok(widest(list([long, ...items], width).text) <= width, String(width));
  });

  test('is cards where too little of a table would be seen', () => {
    const { text, omitted } = list(items, 22);
    assert.deepEqual(omitted, []);
    assert.equal(text, items.map((item) => drawCard(item, look(22))).join('\n'));
  });

  test('shows chosen fields, all of them', () => {
    const { text, omitted } = list(items, 80, ['page_url', 'name']);
    assert.match(text, /^page_url +name\nhttps:\/\/harbours\.example\/little-quay +Little Quay\n/);
    assert.deepEqual(omitted, []);
  });

  test('a long list keeps one set of columns and one head', () => {
    const many = Array.from({ length: 350 }, (_, index) => aHarbour({ name: `Quay ${index}` }));
    const lines = list(many, 100).text.trimEnd().split('\n');
    assert.equal(lines.length, 351);
    assert.equal(lines.filter((line) => line.startsWith('name')).length, 1);
    assert.equal(new Set(lines.map((line) => line.indexOf('calm'))).size, 2);
  });

  test('what pages say cannot act on the terminal', () => {
    const { text } = list([aHarbour({ name: '\u001b[31mred\u009b0m\u202e', tags: ['\u0007'] })], 100);
    assert.doesNotMatch(text, controlCharacters);
    assert.match(text, /␛\[31mred/);
  });
});
