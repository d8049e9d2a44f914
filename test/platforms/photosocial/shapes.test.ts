import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { postObject } from '../../../lib/platforms/photosocial/post-object.js';
import {
  itemPost,
  legacyPost,
  picturesOf,
  polarisPost,
} from '../../../lib/platforms/photosocial/post-shapes.js';
import { profileObject } from '../../../lib/platforms/photosocial/profile-object.js';
import { itemProfile, polarisProfile } from '../../../lib/platforms/photosocial/profile-shapes.js';

const changed = { code: 'platform_changed' };
const cdn = (name: string) => `https://scontent.cdninstagram.com/${name}.jpg`;
const candidate = (width: number, height: number) => ({ url: cdn(`${width}x${height}`), width, height });

describe('the chosen picture', () => {
  const sized = [candidate(720, 377), candidate(1080, 566), candidate(1080, 1080)];
  const unusable = [
    { url: cdn('a'), width: 0, height: 0 },
    { url: cdn('b'), width: 'x', height: null },
  ];
  const original = (width: number, height: number) => ({ original_width: width, original_height: height });
  const versions = (candidates: object[]) => ({ image_versions2: { candidates } });
  for (const [name, node, best] of [
    ['the largest with the post’s proportions', { ...original(1080, 566), ...versions(sized) }, '1080x566'],
    ['not a larger square crop', versions(sized), '1080x566'],
    ['the first if no sizes are stated', versions([{ url: cdn('a') }, { url: cdn('b') }]), 'a'],
    ['the first if no size is usable', { ...original(0, 5), ...versions(unusable) }, 'a'],
    ['the small one of the list if there is no other', { display_uri: cdn('small') }, 'small'],
  ] as const) {
    test(`is ${name}`, () => assert.equal(picturesOf(node)[0], cdn(best)));
  }
});

describe('likes and views', () => {
  for (const [name, readPost, likes] of [
    ['L', legacyPost, (n: number) => ({ edge_media_preview_like: { count: n } })],
    ['V1', itemPost, (n: number) => ({ like_count: n })],
    ['P', polarisPost, (n: number) => ({ like_count: n })],
  ] as const)
    for (const [stated, isHidden, count] of [
      ...[-1, 0, 3, 78_676].map((stated) => [stated, true, null] as const),
      [3, false, 3],
      [0, false, 0],
      [-1, false, null],
      // 0 and 3 also stand for hidden ones.
      [0, null, null],
      [3, null, null],
      [4, null, 4],
    ] as const) {
      test(`are ${count} for ${stated} in shape ${name} with hidden ${isHidden}`, () => {
        const type = name === 'P' ? 'XIGPolarisVideoMedia' : 'GraphVideo';
        const node = { __typename: type, media_type: 2, code: 'DdG4RIxIPyf', shortcode: 'DdG4RIxIPyf' };
        const counts = { like_and_view_counts_disabled: isHidden, play_count: 9, ...likes(stated) };
        const post = postObject(readPost({ ...node, ...counts }));
        assert.equal(post.like_count, count);
        if (count === null && stated !== -1) assert.equal(post.view_count, null);
      });
    }
});

describe('the kind of a post', () => {
  const kind = (node: object) => postObject(legacyPost({ shortcode: 'abc', ...node })).media_type;
  for (const [node, expected] of [
    [{ __typename: 'XDTGraphImage' }, 'IMAGE'],
    [{ __typename: 'GraphVideo' }, 'VIDEO'],
    [{ __typename: 'XDTGraphSidecar', is_video: false }, 'CAROUSEL_ALBUM'],
    [{ is_video: false, edge_sidecar_to_children: { edges: [] } }, 'CAROUSEL_ALBUM'],
    [{ is_video: true }, 'VIDEO'],
    [{ is_video: false }, 'IMAGE'],
  ] as const) {
    test(`of ${JSON.stringify(node)} is ${expected}`, () => assert.equal(kind(node), expected));
  }

  test('is never guessed', () => {
    assert.throws(() => kind({}), changed);
    assert.throws(() => kind({ __typename: 'GraphSomething' }), changed);
    assert.throws(() => postObject(itemPost({ code: 'abc', media_type: 3 })), changed);
  });

  test('of a video without its file leaves media_url null', () => {
    const post = postObject(polarisPost({ code: 'abc', media_type: 2, display_uri: cdn('poster') }));
    assert.equal(post.media_url, null);
  });
});

describe('ids beyond 2^53', () => {
  const read = (json: string) => postObject(itemPost(JSON.parse(json) as unknown)).shortcode;
  test('give the code from the text id if the number lost digits', () => {
    const json = '{"pk":3982487950286638198,"id":"3982487950286638198_787132","media_type":1}';
    assert.equal(read(json), 'DdEo7DPG8x2');
  });
  test('are refused as a number alone', () =>
    assert.throws(() => read('{"pk":3982487950286638198,"media_type":1}'), changed));
});

describe('profiles', () => {
  const app = (more: object) => profileObject(itemProfile({ username: 'X', external_url: '', ...more }));
  const contact = { public_email: 'a@b.example', contact_phone_number: '', zip: '' };
  const shown = { should_show_public_contacts: true };
  const number = '210000000';

  for (const [node, expected] of [
    // The account's type decides, not the flag that contradicts it.
    [{ account_type: 2, is_business: false }, { is_business_account: true }],
    [{ account_type: 3, is_business: true }, { is_business_account: false }],
    [{ is_business: true }, { is_business_account: null }],
    [{}, { is_business_account: null }],
    [{ category: 'Artist', should_show_category: false }, { category: null }],
    [{ category: 'Artist', should_show_category: null }, { category: null }],
    [{ category: 'Artist', should_show_category: true }, { category: 'Artist' }],
    [{ category: '' }, { category: null }],
    [contact, { contact_buttons: null }],
    [{ ...contact, should_show_public_contacts: false }, { contact_buttons: null }],
    [{ ...contact, ...shown }, { contact_buttons: [{ type: 'email', value: 'a@b.example' }] }],
    [{ ...shown, public_email: '' }, { contact_buttons: [] }],
    // A phone number that is no text is none, and so is one without the code of its country.
    [
      { ...shown, public_phone_number: { value: number }, public_phone_country_code: '351' },
      { contact_buttons: [] },
    ],
    [
      { ...shown, public_phone_number: number, public_phone_country_code: { value: '351' } },
      { contact_buttons: [] },
    ],
    [{ ...shown, public_phone_number: number }, { contact_buttons: [] }],
    [
      { full_name: '', biography: '  ' },
      { name: null, biography: null, bio_links: [] },
    ],
  ] as const) {
    test(`with ${JSON.stringify(node)} have ${JSON.stringify(expected)}`, () =>
      assert.deepEqual({ ...app(node), ...expected }, app(node)));
  }

  const blank = {
    ...{ full_name: 'Kiln', is_private: false, is_verified: true, media_count: 0, bio_links: [] },
    ...{ follower_count: 0, following_count: 0, biography: '' },
  };
  const gating = { gating_type: 'appealable', title: 'Are You 20 or Over?', description: 'You must be 20.' };
  const zeros = { followers_count: 0, follows_count: 0, media_count: 0, bio_links: [] };
  const unknown = {
    followers_count: null,
    follows_count: null,
    media_count: null,
    biography: null,
    bio_links: null,
  };
  for (const [name, more, expected] of [
    ['open', {}, zeros],
    ['without a gate', { gating: null }, zeros],
    ['closed', { gating }, { ...unknown, name: 'Kiln', is_private: false, is_verified: true }],
    ['closed with a count', { gating, follower_count: 7 }, { ...unknown, followers_count: 7 }],
  ] as const) {
    test(`that are ${name} have 0 or null for what they withhold`, () => {
      const profile = app({ ...blank, ...more });
      assert.deepEqual({ ...profile, ...expected }, profile);
    });
  }

  test('have the id of this platform in shape P', () => {
    assert.equal(polarisProfile({ pk: '787132', id: '17841400573960012' }).id, '787132');
  });

  test('have unknown links, not none, if the page has them in an unknown form', () => {
    assert.equal(profileObject(polarisProfile({ username: 'x' })).bio_links, null);
  });
});
