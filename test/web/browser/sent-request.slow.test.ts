import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExpectedPart, isOfKind } from '../../../lib/web/browser/sent-request.js';
import type { PageRequestByScript } from '../../../lib/web/page-source.js';

const pageRequest: PageRequestByScript = {
  page: 'https://a.example/',
  paths: ['/api/list', '/below/'],
  params: { id: '12' },
  carries: ['0x1:0x2'],
  from: { params: { cursor: '2' }, carries: ['"a+b/c="'] },
};
const sent = (url: string, body: string | null = null) => ({ url, body });

test('a request is recognised by its path, parameters and contents, encoded or not', () => {
  const is = (url: string, body: string | null = null) =>
    isOfKind(sent(`https://a.example${url}`, body), pageRequest);
  assert.ok(is('/api/list?id=12&pb=0x1%3A0x2'));
  assert.ok(is('/api/list/?id=12&pb=0x1:0x2'));
  assert.ok(is('/below/it?id=12', 'pb=!1s0x1%3A0x2'));
  assert.ok(is('/api/list', 'id=12&variables=%7B%22a%22%3A%220x1%3A0x2%22%7D'));
  assert.ok(!is('/api/list?id=123&pb=0x1:0x2'));
  assert.ok(!is('/api/list?pb=0x1:0x2'));
  assert.ok(!is('/api/listing?id=12&pb=0x1:0x2'));
  assert.ok(!is('/below?id=12&pb=0x1:0x2'));
  assert.ok(!isOfKind(sent('no address'), pageRequest));
  assert.ok(is('/api/list?id=12', '{"broken %": "0x1:0x2"}'));
});

test('a later part is recognised by its token, byte for byte', () => {
  const is = (cursor: string, body: string) =>
    isExpectedPart(sent(`https://a.example/api/list?cursor=${cursor}`, body), pageRequest);
  assert.ok(is('2', '{"after":"a+b/c="}'));
  assert.ok(is('2', `variables=${encodeURIComponent('{"after":"a+b/c="}')}`));
  assert.ok(!is('20', '{"after":"a+b/c="}'));
  assert.ok(!is('2', '{"after":"a+b/c=="}'));
  assert.ok(isExpectedPart(sent('https://a.example/'), { ...pageRequest, from: undefined } as never));
});
