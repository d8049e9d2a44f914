import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { fieldsOf } from '../../../src/files/result-files/fields.js';
import { Condition } from '../../../src/lines/condition/condition.js';

const endpointOf = (path: string) => endpoints.find((one) => one.path === path) as Endpoint;
const reviews = endpointOf('maps/reviews');
const videos = endpointOf('shortvideo/search');

const review = { rating: 5, text: 'Good tea.', photos: [], author: { name: 'Mira', review_count: null } };
const sourceOf = (position: number) => ({
  ...{ id: `r${position}`, url: null, author: null, position, fetched_at: '2026-11-20T00:00:00.000Z' },
});

/** Which of the items the condition is true of. */
function keptItems(endpoint: Endpoint, text: string, items: readonly object[], sources?: readonly object[]) {
  return new Condition(endpoint, text).matches({
    json: JSON.stringify(items),
    ...(sources === undefined ? {} : { sources: JSON.stringify(sources) }),
  });
}

function refused(endpoint: Endpoint, text: string): string {
  try {
    new Condition(endpoint, text);
  } catch (error) {
    assert.ok(error instanceof ExtractError, String(error));
    assert.equal(error.code, 'invalid_parameter');
    return error.message;
  }
  assert.fail(`${text} was taken`);
}

describe('a condition', () => {
  test('compares fields of the item, nested ones and items of lists', () => {
    const bad = { ...review, rating: 2, text: 'Cold.', photos: [{ url: 'https://a.example', width: 900 }] };
    const items = [review, bad];
    const cases: Readonly<Record<string, readonly boolean[]>> = {
      'rating <= 2': [false, true],
      'rating == 5': [true, false],
      'rating in [4, 5]': [true, false],
      'rating * 2 + 1 > 10': [true, false],
      'text.contains("tea")': [true, false],
      'text.matches("^Co")': [false, true],
      'author.name == "Mira" && rating < 3': [false, true],
      'photos.exists(photo, photo.width > 800)': [false, true],
      'size(photos) == 0': [true, false],
      '!(rating > 2)': [false, true],
      'rating >= 4 ? true : text == "Cold."': [true, true],
    };
    for (const [text, expected] of Object.entries(cases))
      assert.deepEqual(keptItems(reviews, text, items), expected, text);
    const video = { like_count: 30, view_count: 1000, create_time: '2026-11-01T00:00:00.000Z' };
    assert.deepEqual(keptItems(videos, 'like_count / view_count > 0.02', [video]), [true]);
    assert.deepEqual(keptItems(videos, 'like_count * 100 / view_count > 5', [video]), [false]);
    assert.deepEqual(keptItems(videos, 'create_time >= "2026-11"', [video]), [true]);
    assert.deepEqual(
      keptItems(videos, 'timestamp(create_time) < timestamp("2026-11-02T00:00:00Z")', [video]),
      [true],
    );
  });

  test('is not true of what is compared with null, unless the rest decides', () => {
    const items = [{ ...review, rating: null }];
    const cases: Readonly<Record<string, boolean>> = {
      'rating <= 2': false,
      '!(rating <= 2)': false,
      'rating == null': true,
      'rating != null && rating <= 2': false,
      'rating <= 2 || text.contains("tea")': true,
      'text.contains("tea") && rating <= 2': false,
      'author.review_count > 3': false,
    };
    for (const [text, expected] of Object.entries(cases))
      assert.deepEqual(keptItems(reviews, text, items), [expected], text);
    const judged = [
      ...new Condition(reviews, 'rating <= 2').judgements({ json: JSON.stringify([...items, review]) }),
    ];
    assert.deepEqual(judged, [null, false]);
  });

  test('asks where an item stands', () => {
    const sources = [sourceOf(1), sourceOf(4)];
    assert.deepEqual(keptItems(reviews, 'source.position > 3', [review, review], sources), [false, true]);
    assert.deepEqual(keptItems(reviews, 'source.author == null', [review], [sourceOf(1)]), [true]);
    assert.equal(new Condition(reviews, 'source.position > 3').namesSource, true);
    assert.equal(new Condition(reviews, 'rating > 3').namesSource, false);
    // The source of an item is its own, whatever an item of a list is called.
    assert.equal(new Condition(reviews, 'photos.exists(source, source.width > 3)').namesSource, false);
  });

  test('is refused with its position where it cannot be read, and with the nearest of unknown fields', () => {
    const cases: Readonly<Record<string, RegExp>> = {
      'raing <= 2': /at character 1: there is no field “raing”\. Did you mean rating\?$/,
      'rating <= 2 && author.nam == "x"': /at character 23: there is no field “nam”\. Did you mean name\?$/,
      'source.positon > 3': /there is no field “positon”\. Did you mean position\?$/,
      'photos.exists(p, p.widt > 3)': /there is no field “widt”\. Did you mean width\?$/,
      'photos[0].widt > 3': /Did you mean width\?$/,
      'author["nam"] == "x"': /Did you mean name\?$/,
      'zzzzzzzz == 1': /there is no field “zzzzzzzz”\. Fields: rating, text, .*, source\.$/,
      'rating <': /at character 9: /,
      '': /cannot be read/,
      'rating <= "2"': /at character 11: a number is compared with the string "2"/,
      'text == 2': /a string is compared with the number "2"/,
      text: /a value alone is neither true nor false/,
      'rating + 1': /a value alone is neither true nor false/,
      '1 + 1': /neither true nor false/,
      'text.matches("[")': /at character 14: “\[” is not a regular expression/,
      'shout(text)': /at character 1: /,
    };
    for (const [text, expected] of Object.entries(cases))
      assert.match(refused(reviews, text), expected, text);
  });

  test('knows every field of every endpoint by its name', () => {
    for (const endpoint of endpoints) {
      for (const { name } of fieldsOf(endpoint.returns)) {
        const condition = new Condition(endpoint, `${name} == null`);
        const data = { [name]: null };
        assert.deepEqual(condition.matches({ json: JSON.stringify(endpoint.many ? [data] : data) }), [true]);
      }
    }
  });
});
