import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  cidRequest,
  galleryRequest,
  placeRequest,
  reviewsRequest,
  searchRequest,
} from '../../../lib/platforms/maps/requests.js';
import { decodePb } from '../../support/pb-decode.js';

const fid = '0x14e732fd76f0d90d:0xe5415928d6702b47';
const none = (length: number) => Array.from({ length }, () => null);

describe('a search', () => {
  const paramsOf = (url: string) => new URL(url).searchParams;

  test('is requested with its words, twenty rows and the mask', () => {
    const { url, headers } = searchRequest('coffee & cake', 'de', null, null, 0);
    assert.match(
      url,
      /^https:\/\/www\.google\.com\/search\?tbm=map&authuser=0&hl=de&q=coffee%20%26%20cake&pb=!1scoffee/,
    );
    assert.deepEqual(headers, { 'accept-language': 'de' });
    assert.deepEqual(decodePb(paramsOf(url).get('pb') ?? '').slice(0, 3), [
      '1scoffee & cake',
      '7i20',
      '10b1',
    ]);
    assert.ok(!paramsOf(url).has('gl'));
  });

  test('has its camera above the point, at a height for the radius', () => {
    const { url } = searchRequest('x', 'en', 'at', { lat: 47.07, lng: 15.44, radius: 5000 }, 0);
    assert.equal(paramsOf(url).get('gl'), 'at');
    assert.match(
      paramsOf(url).get('pb') ?? '',
      /^!1sx!4m8!1m3!1d43547!2d15\.44!3d47\.07!3m2!1i1024!2i768!4f13\.1!7i20!10b1/,
    );
  });

  test('has the offset of a later page after the page size', () => {
    assert.match(
      paramsOf(searchRequest('x', 'en', null, null, 40).url).get('pb') ?? '',
      /^!1sx!7i20!8i40!10b1/,
    );
  });

  test('escapes separators in its words', () => {
    const { url } = searchRequest('100% a!8i99 *', 'en', null, null, 0);
    assert.equal(paramsOf(url).get('q'), '100% a!8i99 *');
    assert.equal(decodePb(paramsOf(url).get('pb') ?? '')[0], '1s100% a*218i99 *2A');
  });

  test('uses the platform’s name for Chinese', () => {
    assert.equal(paramsOf(searchRequest('x', 'zh', null, null, 0).url).get('hl'), 'zh-CN');
  });
});

describe('a place', () => {
  test('is requested by its feature id and the mask', () => {
    const { url } = placeRequest(fid, 'el');
    assert.match(
      url,
      /^https:\/\/www\.google\.com\/maps\/preview\/place\?authuser=0&hl=el&pb=!1m1!1s0x14e732fd76f0d90d%3A0xe/,
    );
    const [first] = decodePb(new URL(url).searchParams.get('pb') ?? '');
    assert.deepEqual(first, { field: 1, members: [`1s${fid}`] });
  });

  test('is requested by its cid on the page of the map', () => {
    assert.equal(cidRequest('42').url, 'https://www.google.com/maps?cid=42&hl=en');
  });
});

describe('reviews', () => {
  const payload = (url: string) => JSON.parse(new URL(url).searchParams.get('reqpld') ?? '');

  test('are requested by the positions of the review window', () => {
    const { url } = reviewsRequest(fid, 'newest', 'TOKEN', 10);
    assert.match(
      url,
      /^https:\/\/www\.google\.com\/httpservice\/web\/PrivateLocalSearchUiDataService\/GetLocalBoqProxy\?hl=en&msc=gwsrpc&reqpld=%5Bnull%2C%5Bnull/,
    );
    const slots = none(24) as unknown[];
    Object.assign(slots, {
      1: 2,
      9: 10,
      11: [fid],
      16: [1, 1, null, [[3], [4], [5], [6], [7]]],
      19: 'TOKEN',
      23: 0,
    });
    assert.deepEqual(payload(url), [null, [...none(9), slots]]);
  });

  test('have a number for each order', () => {
    const numbers = (['relevant', 'newest', 'highest', 'lowest'] as const).map(
      (sort) => payload(reviewsRequest(fid, sort, '', 10).url)[1][9][1],
    );
    assert.deepEqual(numbers, [1, 2, 3, 4]);
  });
});

describe('a later page of photos', () => {
  test('is requested as a form with one call', () => {
    const { url, method, headers, body } = galleryRequest(fid, 'TOKEN');
    assert.match(
      url,
      /^https:\/\/www\.google\.com\/maps\/_\/MapsWizUi\/data\/batchexecute\?rpcids=hspqX&source-path=\/maps&hl=en&_reqid=\d+&rt=c$/,
    );
    assert.equal(method, 'POST');
    assert.equal(headers?.['content-type'], 'application/x-www-form-urlencoded;charset=UTF-8');
    const form = new URLSearchParams(body);
    assert.deepEqual([...form.keys()], ['f.req']);
    const [[[call, argumentText, last, kind]]] = JSON.parse(form.get('f.req') ?? '');
    assert.deepEqual([call, last, kind], ['hspqX', null, 'generic']);
    const argument = JSON.parse(argumentText);
    assert.equal(argument.length, 5);
    assert.deepEqual(argument.slice(0, 4), [2, null, [fid, ...none(7), 0, ...none(5), null], null]);
    const view = argument[4];
    assert.equal(view.length, 26);
    assert.deepEqual(view[2], [null, 20, 'TOKEN', null, 1]);
    assert.deepEqual(view[14], [[[[[[2]]], [195, 195], 20]]]);
    assert.deepEqual(view.at(-1), [null, 1, null, 1]);
  });
});
