import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { Pseudonyms } from '../../../src/lines/pseudonyms/pseudonyms.js';

const key = Buffer.alloc(32, 7);
const both = ['author', 'username'] as const;
const pseudonyms = (keep: readonly string[] = [], groups: readonly ('author' | 'username')[] = both) =>
  new Pseudonyms({ key, groups, keep });
const endpoint = (path: string) => endpoints.find((one) => one.path === path) as unknown as Endpoint;

const source = (handle: string, name: string, number: string) => ({
  ...{ id: '17900', url: `https://www.instagram.com/${handle}/p/C1/c/17900/`, position: 1 },
  author: { id: number, handle, name, url: `https://www.instagram.com/${handle}/` },
  fetched_at: '2026-11-20T08:00:00Z',
});

const comment = (username: string, text: string) => ({
  ...{ username, text, timestamp: '2026-11-20T08:00:00Z', like_count: 1, reply_count: null, parent_id: null },
});

describe('pseudonyms', () => {
  const handle = fc.stringMatching(/^[a-z][a-z0-9_.]{3,18}[a-z0-9]$/).map((text) => `q${text}q`);
  const words = fc.stringMatching(/^Q[a-z]{3,9} [A-Z][a-zéüß]{3,9}q$/);
  const scripts = ['山田太郎', 'Анна Орлова', 'ليلى حسن', 'José Núñez', 'İpek Demir', "O'Hara-Quinn q"];
  const name = fc.oneof(words, fc.constantFrom(...scripts));
  const number = fc.integer({ min: 1_000_000, max: 99_999_999 }).map(String);

  test('are the same in each run, and the plain name is nowhere', () => {
    fc.assert(
      fc.property(handle, name, number, (who, called, id) => {
        const result = {
          input: { url: `https://www.instagram.com/${who}/p/C1/`, sources: true },
          own: { note: `asked by ${called}` },
          items: [
            comment(who, `@${who} (${called}) said: ${called.toUpperCase()}, ${who}!`),
            comment('someone', `Thanks @${who}. ${called}さん`),
          ],
          sources: [source(who, called, id), source('someone', 'Someone Else', '5')],
          error: null,
        };
        const comments = endpoint('photosocial/comments');
        const given = pseudonyms().result(comments, result);
        assert.deepEqual(pseudonyms().result(comments, result), given);
        const text = JSON.stringify(given).toLowerCase();
        for (const plain of [who, called, id, encodeURIComponent(called)])
          assert.ok(!text.includes(plain.toLowerCase()), `${plain} in ${text}`);
        const [first] = given.items as { username: string }[];
        assert.equal(given.sources?.[0]?.author.handle, first?.username);
        const url = /^https:\/\/www\.instagram\.com\/person_[0-9a-f]{20}\/p\/C1\//;
        assert.match(String(given.sources?.[0]?.url), url);
      }),
      { numRuns: 300 },
    );
  });

  test('differ by key, by platform and by name, and not by case', () => {
    const of = (platform: string, who: string) => pseudonyms().of(platform, who);
    assert.equal(of('shortvideo', 'Ana_Invented'), of('shortvideo', 'ana_invented '));
    assert.notEqual(of('shortvideo', 'ana_invented'), of('photosocial', 'ana_invented'));
    assert.notEqual(of('shortvideo', 'ana_invented'), of('shortvideo', 'ana_invented2'));
    const other = new Pseudonyms({ key: Buffer.alloc(32, 8), groups: both, keep: [] });
    assert.notEqual(of('maps', 'Ana'), other.of('maps', 'Ana'));
  });

  test('leave whom the user keeps, whole, in the text’s own spelling', () => {
    const result = {
      items: [comment('ourshop', 'Thanks from @OurShop, @guest.one!')],
      sources: [source('ourshop', 'Our Shop', '4711')],
    };
    const replaced = pseudonyms(['OurShop']).result(endpoint('photosocial/comments'), result);
    assert.deepEqual(replaced.sources, result.sources);
    const [item] = replaced.items as { username: string; text: string }[];
    assert.equal(item?.username, 'ourshop');
    assert.match(item?.text ?? '', /^Thanks from @OurShop, @person_[0-9a-f]{20}!$/);
  });

  test('stand for the account itself, in its input, its source and its changes', () => {
    const item = {
      ...{ username: 'inventedana', display_name: 'Ana Invented' },
      bio_description: 'I am Ana Invented, and Banana is no name',
      profile_url: 'https://www.tiktok.com/@inventedana',
      avatar_url: 'https://cdn.example/inventedana.jpg',
    };
    const replaced = pseudonyms().result(endpoint('shortvideo/profile'), {
      input: { username: 'InventedAna' },
      items: [item],
      sources: [{ id: '660', url: item.profile_url, author: null, position: 1, fetched_at: '2026-11-20' }],
      changed: { display_name: ['Anna Invented', 'Ana Invented'], follower_count: [1, 2] },
      error: { code: 'x', message: 'No account inventedana.' },
    });
    const text = JSON.stringify(replaced);
    assert.doesNotMatch(text, /inventedana|Ana Invented|Anna Invented|"660"/i);
    assert.match(text, /and Banana is no name/);
    assert.match(text, /"avatar_url":"withheld"/);
    assert.match(text, /"follower_count":\[1,2\]/);
  });

  test('stand for the reviewer, also in the owner’s reply and in an address that has the number alone', () => {
    const author = {
      ...{ name: 'Ivo Invented', photo_url: 'https://lh3.example/face', is_local_guide: true },
      profile_url: 'https://www.google.com/maps/contrib/100200300400/reviews',
    };
    const owner_response = { text: 'Dear Ivo Invented, thank you.', publish_time: null };
    const url = 'https://www.google.com/maps/reviews/data=!1s100200300400!2s9';
    const { items, sources } = pseudonyms([], ['author']).result(endpoint('maps/reviews'), {
      items: [{ rating: 5, text: 'Good', author, owner_response }],
      sources: [{ id: 'r1', url, author: null }],
    });
    const text = JSON.stringify({ items, sources });
    assert.doesNotMatch(text, /Ivo|100200300400|lh3\.example/);
    assert.match(text, /"is_local_guide":true/);
  });

  test('each handle or name of the schemas of the table is marked', () => {
    const marked = new Map<string, string[]>();
    for (const { path, returns } of endpoints) {
      const shape = (returns as unknown as { shape: Record<string, unknown> }).shape;
      const fields = Object.keys(shape).filter((field) =>
        /^(username|full_name|display_name|author|uploader|mentions)$/.test(field),
      );
      marked.set(path, fields);
      const values: Record<string, unknown> = { mentions: ['plain_one'] };
      values.author = values.uploader = { name: 'plain_one' };
      for (const field of fields) {
        const item = { [field]: values[field] ?? 'plain_one' };
        const { items } = pseudonyms().result(endpoint(path), { items: [item] });
        assert.doesNotMatch(JSON.stringify(items), /plain_one/, `${path} ${field}`);
      }
    }
    assert.deepEqual(marked.get('photosocial/post'), ['mentions', 'username']);
  });
});
