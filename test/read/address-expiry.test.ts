import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { secondsToExpiry } from '../../lib/read/address-expiry.js';

const now = Date.UTC(2026, 10, 5, 12);
const at = (seconds: number) => now / 1000 + seconds;
const hex = (seconds: number) => at(seconds).toString(16).toUpperCase();
const secondsLeft = (...addresses: string[]) => secondsToExpiry(JSON.stringify(addresses), now, 43_200);

describe('the seconds for which URLs are valid', () => {
  for (const [name, address] of [
    ['photosocial', `https://scontent.example/a.jpg?stp=x&oh=00_A&oe=${hex(900)}&_nc_sid=1`],
    ['shortvideo, pictures', `https://p16.example/a.jpeg?lk3s=1&x-expires=${at(900)}&x-signature=b%3D`],
    ['shortvideo, files', `https://v16.example/video/?a=1988&expire=${at(900)}&l=2`],
    ['shortvideo, captions', `https://v16.example/${'5f'.repeat(16)}/${hex(900).toLowerCase()}/video/tos/a/`],
    ['pronetwork', `https://media.example/a?e=${at(900)}&v=beta&t=c`],
    ['pronetwork, at the end of the URL', `https://media.example/a?e=${at(900)}`],
  ] as const) {
    test(`are read from the URLs of ${name}`, () => {
      assert.equal(secondsLeft('https://example.org/', address), 900);
    });
  }

  test('are the minimum of all URLs and of the answer', () => {
    const pictures = [5000, 900, 90_000].map((seconds) => `https://a.example/?x-expires=${at(seconds)}`);
    assert.equal(secondsLeft(...pictures), 900);
    assert.equal(secondsLeft(pictures[2] as string), 43_200);
    assert.equal(secondsLeft('https://media.example/a?e=2147483647&v=beta', 'no address'), 43_200);
  });

  test('are not shortened by expired URLs or other numbers', () => {
    assert.equal(
      secondsLeft(
        `https://a.example/?x-expires=${at(-900)}`,
        `https://a.example/?note=${at(900)}&oe=${hex(900)}A&e=${at(900)}0`,
        `https://a.example/${hex(900)}/video/`,
      ),
      43_200,
    );
  });
});
