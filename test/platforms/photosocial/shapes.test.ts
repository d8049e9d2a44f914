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

const cdn = (name: string) => `https://scontent.cdninstagram.com/${name}.jpg`;
const candidate = (width: number, height: number) => ({ url: cdn(`${width}x${height}`), width, height });

describe('the best picture', () => {
  test('is the largest of the post’s own proportions, not a larger square cut out of it', () => {
    const candidates = [candidate(720, 377), candidate(1080, 566), candidate(1080, 1080)];
    const picture = { original_width: 1080, original_height: 566 };
    assert.equal(picturesOf({ ...picture, image_versions2: { candidates } })[0], cdn('1080x566'));
    assert.equal(picturesOf({ image_versions2: { candidates } })[0], cdn('1080x566'));
  });

  test('is the first where no sizes are given', () => {
    const candidates = [{ url: cdn('a') }, { url: cdn('b') }];
    assert.equal(picturesOf({ image_versions2: { candidates } })[0], cdn('a'));
  });

  test('is the listing’s small one where there is no other', () => {
    assert.deepEqual(picturesOf({ display_uri: cdn('small') }), [cdn('small')]);
  });

  test('sizes that are no sizes are nothing', () => {
    const candidates = [
      { url: cdn('a'), width: 0, height: 0 },
      { url: cdn('b'), width: 'x', height: null },
    ];
    assert.equal(
      picturesOf({ original_width: 0, original_height: 5, image_versions2: { candidates } })[0],
      cdn('a'),
    );
  });
});

describe('hidden likes', () => {
  for (const [name, readPost, likes] of [
    ['L', legacyPost, (n: number) => ({ edge_media_preview_like: { count: n } })],
    ['V1', itemPost, (n: number) => ({ like_count: n })],
    ['P', polarisPost, (n: number) => ({ like_count: n })],
  ] as const) {
    const post = (n: number, hidden: boolean | null) =>
      postObject(
        readPost({
          __typename: name === 'P' ? 'XIGPolarisVideoMedia' : 'GraphVideo',
          media_type: 2,
          code: 'DdG4RIxIPyf',
          shortcode: 'DdG4RIxIPyf',
          like_and_view_counts_disabled: hidden,
          play_count: 9,
          ...likes(n),
        }),
      );
    test(`${name}: null whatever number stands there`, () => {
      for (const stand of [-1, 0, 3, 78_676]) {
        assert.equal(post(stand, true).like_count, null);
        assert.equal(post(stand, true).view_count, null);
      }
    });
    test(`${name}: visible ones are as they stand, and -1 is none`, () => {
      assert.equal(post(3, false).like_count, 3);
      assert.equal(post(0, false).like_count, 0);
      assert.equal(post(-1, false).like_count, null);
    });
    test(`${name}: a number that stands for hidden ones is none where nothing says that they are visible`, () => {
      for (const stand of [0, 3]) {
        assert.equal(post(stand, null).like_count, null);
        assert.equal(post(stand, null).view_count, null);
      }
      assert.equal(post(4, null).like_count, 4);
    });
  }
});

describe('the kind of a post', () => {
  const kind = (node: object) => postObject(legacyPost({ shortcode: 'abc', ...node })).media_type;
  test('follows from its type name, also the renamed ones, or from its content', () => {
    assert.equal(kind({ __typename: 'XDTGraphImage' }), 'IMAGE');
    assert.equal(kind({ __typename: 'GraphVideo' }), 'VIDEO');
    assert.equal(kind({ __typename: 'XDTGraphSidecar', is_video: false }), 'CAROUSEL_ALBUM');
    assert.equal(kind({ is_video: false, edge_sidecar_to_children: { edges: [] } }), 'CAROUSEL_ALBUM');
    assert.equal(kind({ is_video: true }), 'VIDEO');
    assert.equal(kind({ is_video: false }), 'IMAGE');
  });
  test('is never guessed', () => {
    assert.throws(() => kind({}), { code: 'platform_changed' });
    assert.throws(() => kind({ __typename: 'GraphSomething' }), { code: 'platform_changed' });
    assert.throws(() => postObject(itemPost({ code: 'abc', media_type: 3 })), { code: 'platform_changed' });
  });
  test('a video without its file has no file: its picture is not the video', () => {
    const post = postObject(polarisPost({ code: 'abc', media_type: 2, display_uri: cdn('poster') }));
    assert.equal(post.media_url, null);
  });
});

describe('a phone number that is no text', () => {
  const buttons = (user: object) =>
    profileObject(itemProfile({ username: 'kiln', should_show_public_contacts: true, ...user }))
      .contact_buttons;
  test('is none, and a code of a country that is none is left out with it', () => {
    for (const user of [
      { public_phone_number: { value: '210000000' }, public_phone_country_code: '351' },
      { public_phone_number: '210000000', public_phone_country_code: { value: '351' } },
      { public_phone_number: '210000000' },
    ])
      assert.deepEqual(buttons(user), []);
  });
});

describe('ids beyond 2^53', () => {
  test('a code is made from the text id where the number has lost digits', () => {
    const rest = JSON.parse(
      '{"pk":3982487950286638198,"id":"3982487950286638198_787132","media_type":1}',
    ) as unknown;
    assert.equal(postObject(itemPost(rest)).shortcode, 'DdEo7DPG8x2');
  });
  test('the number alone names no post', () => {
    const rest = JSON.parse('{"pk":3982487950286638198,"media_type":1}') as unknown;
    assert.throws(() => postObject(itemPost(rest)), { code: 'platform_changed' });
  });
});

describe('profiles', () => {
  const app = (more: object) => profileObject(itemProfile({ username: 'X', external_url: '', ...more }));

  test('the account’s type decides about a business, not the flag that contradicts it', () => {
    assert.equal(app({ account_type: 2, is_business: false }).is_business_account, true);
    assert.equal(app({ account_type: 3, is_business: true }).is_business_account, false);
    assert.equal(app({ is_business: true }).is_business_account, null);
    assert.equal(app({}).is_business_account, null);
  });

  test('a hidden category is null', () => {
    assert.equal(app({ category: 'Artist', should_show_category: false }).category, null);
    assert.equal(app({ category: 'Artist', should_show_category: null }).category, null);
    assert.equal(app({ category: 'Artist', should_show_category: true }).category, 'Artist');
    assert.equal(app({ category: '' }).category, null);
  });

  test('contact buttons are given where the account shows them', () => {
    const contact = { public_email: 'a@b.example', contact_phone_number: '', zip: '' };
    assert.equal(app(contact).contact_buttons, null);
    assert.equal(app({ ...contact, should_show_public_contacts: false }).contact_buttons, null);
    assert.deepEqual(app({ ...contact, should_show_public_contacts: true }).contact_buttons, [
      { type: 'email', value: 'a@b.example' },
    ]);
    assert.deepEqual(app({ should_show_public_contacts: true, public_email: '' }).contact_buttons, []);
  });

  test('"" is unknown', () => {
    const profile = app({ full_name: '', biography: '  ' });
    assert.equal(profile.name, null);
    assert.equal(profile.biography, null);
    assert.deepEqual(profile.bio_links, []);
  });

  test('what stands in place of what a closed account withholds is unknown', () => {
    const blank = {
      ...{ full_name: 'Kiln', is_private: false, is_verified: true, media_count: 0, bio_links: [] },
      ...{ follower_count: 0, following_count: 0, biography: '' },
    };
    const open = app(blank);
    assert.deepEqual([open.followers_count, open.follows_count, open.media_count], [0, 0, 0]);
    assert.deepEqual([app({ ...blank, gating: null }).media_count, open.bio_links], [0, []]);
    const gating = {
      gating_type: 'appealable',
      title: 'Are You 20 or Over?',
      description: 'You must be 20.',
    };
    const closed = app({ ...blank, gating });
    assert.deepEqual([closed.name, closed.is_private, closed.is_verified], ['Kiln', false, true]);
    assert.deepEqual([closed.followers_count, closed.follows_count, closed.media_count], [null, null, null]);
    assert.deepEqual([closed.biography, closed.bio_links], [null, null]);
    assert.equal(app({ ...blank, gating, follower_count: 7 }).followers_count, 7);
  });

  test('the id of shape P is the one of this platform', () => {
    assert.equal(polarisProfile({ pk: '787132', id: '17841400573960012' }).id, '787132');
  });

  test('links that a page tells in no known form are unknown, not none', () => {
    assert.equal(profileObject(polarisProfile({ username: 'x' })).bio_links, null);
  });
});
