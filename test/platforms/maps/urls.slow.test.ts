import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { keyInAddress, keyOf, keyOfPlaceId, keyOfUrl } from '../../../lib/platforms/maps/urls.js';

const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
const fid = '0x14e732fd76f0d90d:0xe5415928d6702b47';
const cid = '16519582940102929223';
const other = '0x89c259ab2216e2e9:0x317f07e09aefcac';
const site = 'https://www.google.com';

const known: Record<string, string> = {
  'a place page with its data': `${site}/maps/place/Name/@34.67,33.04,17z/data=!3m1!4b1!4m6!3m5!1s${fid}!8m2!3d34.67!4d33.04!16s%2Fg%2F11c54_9hlz?entry=ttu`,
  'data with an escaped id': `${site}/maps/place/Name/data=!4m2!3m1!1s${fid.replace(':', '%3A')}`,
  'a result opened from a search, where another id stands before it': `${site}/maps/search/coffee/data=!4m10!1m2!2m1!1s${other}!3m6!1s${fid}!8m2!3d1!4d2!15sabc`,
  'several ids without a group: the last': `${site}/maps/place/Name/data=!1s${other}!5m1!1s${fid}`,
  'a place_id alone in the data': `${site}/maps/place/Name/data=!4m2!3m1!19s${placeId}`,
  'a place_id as a query': `${site}/maps/place/?q=place_id:${placeId}`,
  'the same, escaped': `${site}/maps/place/?q=place_id%3A${placeId}&hl=el`,
  'a search by the address interface': `${site}/maps/search/?api=1&query=Name&query_place_id=${placeId}`,
  'a feature id in ftid': `${site}/maps?ftid=${fid}`,
  'ftid in capitals with zeros': `${site}/maps?ftid=0x14E732FD76F0D90D:0x00E5415928D6702B47`,
  'the page of reviews': `https://search.google.com/local/reviews?placeid=${placeId}&hl=en`,
  'the form for a review': `https://search.google.com/local/writereview?placeid=${placeId}`,
  'the body of a place': `${site}/maps/preview/place/Name,+Street/@34.67,33.04,3281a,13.1y/data=!4m2!3m1!1s${fid}`,
  'a body by its bare id': `${site}/maps/preview/place/x/${fid}`,
  'another country’s host': `https://www.google.co.uk/maps/place/Name/data=!4m2!3m1!1s${fid}`,
  'a host of the map alone': `https://maps.google.de/maps?ftid=${fid}`,
  'no scheme': `www.google.com/maps?ftid=${fid}`,
  'plain http': `http://google.com/maps?ftid=${fid}`,
  'the consent wall before it': `https://consent.google.com/m?continue=${encodeURIComponent(`${site}/maps?ftid=${fid}`)}&gl=AT`,
  'directions to one place': `${site}/maps/dir//Name,+Street/@34.67,33.04,17z/data=!4m9!4m8!1m0!1m5!1m1!1s${fid}!2m2!1d33.04!2d34.67!3e0`,
  'directions to one place, by the address interface': `${site}/maps/dir/?api=1&destination=Name&destination_place_id=${placeId}`,
  'a long link with the address inside': `https://maps.app.goo.gl/?link=${encodeURIComponent(`${site}/maps?ftid=${fid}`)}`,
};

describe('addresses of a place', () => {
  for (const [name, url] of Object.entries(known)) {
    test(`${name}: ${url.slice(0, 60)}`, () => assert.deepEqual(keyOfUrl(url), { id: placeId }));
  }

  test('a cid alone needs one request more, and so does half an id', () => {
    for (const url of [
      `${site}/maps?cid=${cid}`,
      `https://maps.google.com/?cid=${cid}&hl=en`,
      `${site}/search?q=Name&ludocid=${cid}`,
      `${site}/maps?ftid=0x0:0xe5415928d6702b47`,
      `${site}/maps/place//data=!4m2!3m1!1s0x0:0xe5415928d6702b47`,
    ]) {
      assert.deepEqual(keyOfUrl(url), { cid }, url);
    }
  });

  test('a short link loses what was added to it', () => {
    assert.deepEqual(keyOfUrl('https://maps.app.goo.gl/xKj3bQ9Zz?g_st=ic'), {
      link: 'https://maps.app.goo.gl/xKj3bQ9Zz',
    });
    assert.deepEqual(keyOfUrl('goo.gl/maps/AbC-1/'), { link: 'https://goo.gl/maps/AbC-1' });
  });

  test('the link that a business hands out carries its cid', () => {
    const code = Buffer.concat([
      Buffer.from([0x09]),
      Buffer.from(BigInt(cid).toString(16).padStart(16, '0'), 'hex').reverse(),
      Buffer.from([0x10, 0x01]),
    ]).toString('base64url');
    for (const url of [
      `https://g.page/r/${code}`,
      `https://g.page/r/${code}/review`,
      `g.page/r/${code}/review/?gm`,
    ]) {
      assert.deepEqual(keyOfUrl(url), { cid }, url);
    }
    assert.deepEqual(keyOfUrl('https://g.page/r/CVKzUFHKt3nhEAE/review'), { cid: '16247219210291295058' });
    for (const broken of ['AAAA', 'CVKz', '', 'CQAAAAAAAAAAEAE']) {
      assert.throws(() => keyOfUrl(`https://g.page/r/${broken}`), { code: 'invalid_url' }, broken);
    }
  });

  test('a knowledge link and a short name are followed', () => {
    assert.deepEqual(keyOfUrl('https://g.co/kgs/AbCd12'), { link: 'https://g.co/kgs/AbCd12' });
    assert.deepEqual(keyOfUrl('https://g.page/some-cafe?share'), { link: 'https://g.page/some-cafe' });
  });

  test('directions between places name none of them', () => {
    for (const url of [
      `${site}/maps/dir/Here/Name/data=!4m2!1s${fid}`,
      `${site}/maps/dir//Name/data=!1s${fid}!1s${other}`,
    ]) {
      assert.throws(() => keyOfUrl(url), { code: 'invalid_url' }, url);
    }
  });

  test('an address that names no place is invalid_url', () => {
    for (const url of [
      '',
      'not an address',
      '12345678901',
      `${site}/maps`,
      `${site}/maps/place/Name/@34.67,33.04,17z`,
      `${site}/maps/search/?api=1&query=coffee`,
      `${site}/maps/place/?q=place_id:EiRSdWUgSW52ZW50w6llLCAwMTk5OSBTYWludC1BdWJyYWM`,
      `${site}/maps?cid=notanumber`,
      `${site}/maps?ftid=0x0:0x0`,
      `${site}/maps/dir/A/B/data=!4m9!4m8!1m5!1m1!1s${fid}`,
      `${site}/webhp?x=!1s${fid}`,
      `https://evil.example/maps/place/data=!4m2!3m1!1s${fid}`,
      `https://www.google.com.evil.example/maps?ftid=${fid}`,
      `https://user:secret@www.google.com/maps?ftid=${fid}`,
      'https://goo.gl/other/AbC',
      'https://goo.gl/maps/',
      'https://maps.app.goo.gl/',
      `https://consent.google.com/m?continue=${encodeURIComponent(`https://evil.example/maps?ftid=${fid}`)}`,
      `javascript:alert(1)//www.google.com/maps?ftid=${fid}`,
    ]) {
      assert.throws(() => keyOfUrl(url), { code: 'invalid_url' }, url);
    }
  });

  test('addresses inside addresses are unpacked only so far', () => {
    const wrap = (inside: string) => `https://consent.google.com/m?continue=${encodeURIComponent(inside)}`;
    const url = `${site}/maps?ftid=${fid}`;
    assert.deepEqual(keyInAddress(wrap(wrap(url))), { id: placeId });
    assert.equal(keyInAddress(wrap(wrap(wrap(url)))), null);
  });

  test('no text leads to another error than invalid_url', () => {
    const tails = fc.string().map((tail) => `${site}/maps/place/${tail}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), tails), (text) => {
        try {
          keyOfUrl(text);
        } catch (error) {
          assert.ok(error instanceof ExtractError && error.code === 'invalid_url', String(error));
        }
      }),
    );
  });
});

describe('place_id', () => {
  test('is taken as it is', () => {
    assert.deepEqual(keyOfPlaceId(placeId), { id: placeId });
    assert.deepEqual(keyOfPlaceId(fid), { id: placeId });
    assert.deepEqual(keyOfPlaceId('0x0:0xe5415928d6702b47'), { cid });
    assert.deepEqual(keyOfPlaceId(cid), { cid });
    assert.deepEqual(keyOf(placeId, undefined), { id: placeId });
    assert.deepEqual(keyOf(undefined, `${site}/maps?cid=${cid}`), { cid });
  });

  test('an id of another kind is refused with a word about what is taken', () => {
    for (const id of [
      'EiRSdWUgSW52ZW50w6ll',
      'GhIJQWDl0CIeQUARxks3icF8U8A',
      '0x1',
      '42',
      '8G6MM2CV+7Q',
      'ChIJ',
    ]) {
      assert.throws(
        () => keyOfPlaceId(id),
        { code: 'invalid_parameter', message: /ChIJ… .*addresses, routes/ },
        id,
      );
    }
  });
});
