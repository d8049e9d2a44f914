import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCompanyPosts, readMorePosts } from '../../../lib/platforms/pronetwork/company-posts.js';
import { readJobList } from '../../../lib/platforms/pronetwork/job-list.js';
import { readJobPage } from '../../../lib/platforms/pronetwork/job-page.js';
import { readPostPage } from '../../../lib/platforms/pronetwork/post-page.js';
import { readProfilePosts } from '../../../lib/platforms/pronetwork/profile-posts.js';
import { heading, pageOf, site, sitePage } from './markup.js';

const changed = { code: 'platform_changed' };

describe('posts', () => {
  const [first, second, third] = [
    '7000000000000000001',
    '7000000000000000002',
    '7000000000000000003',
  ] as const;
  const article = (id: string, inside = '') =>
    `<li><article class="main-feed-activity-card" data-activity-urn="urn:li:activity:${id}">${inside}</article></li>`;
  const feed = (name: string, kind = 'actor-name') =>
    `<a href="${site}/company/${name}?trk=organization_guest_main-feed-card_feed-${kind}">x</a>`;
  const company = (items: string) => {
    const list = `<section data-test-id="updates"><ul class="updates__list">${items}</ul></section>`;
    const answer = sitePage('company', 'company/co', heading('Co') + list);
    return readCompanyPosts(answer, { kind: 'company', vanity: 'co' }).posts;
  };
  const commentary = (text: string) => `<p data-test-id="main-feed-activity-card__commentary">${text}</p>`;
  const more = (items: string, status = 200, isFirst = false) =>
    readMorePosts(pageOf(`${site}/feed`, items, status), 'co', isFirst)?.length;

  test('of another company are refused, and a fragment must name its company', () => {
    const repost = article(first, feed('co', 'reaction-header') + feed('other'));
    const foreign = article(second, feed('other'));
    assert.equal(company(repost + article(third)).length, 2);
    assert.throws(() => company(repost + foreign), changed);
    assert.equal(more(repost), 1);
    for (const items of [foreign, article(third), '<li>nothing</li>'])
      assert.throws(() => more(items), changed);
    assert.equal(more('<code id="feedPageStart"><!--20--></code>'), undefined);
  });

  test('in a missing fragment are platform_changed', () => {
    for (const isFirst of [true, false]) assert.throws(() => more('', 404, isFirst), changed);
  });

  for (const [pageId, postId, text] of [
    [first, first, 'One'],
    [first, second, 'Two'],
    // The page names itself by its share; the card has the number of the activity.
    [third, third, 'One'],
  ] as const) {
    test(`have the text “${text}” for ${postId} on the page of ${pageId}`, () => {
      const cards = article(first, commentary('One')) + article(second, commentary('Two'));
      const answer = sitePage('feed', `feed/update/urn:li:activity:${pageId}`, cards);
      assert.equal(readPostPage(answer, postId).text, text);
      assert.throws(() => readPostPage(answer, '7000000000000000009'), changed);
    });
  }

  const picture = (path: string) => `https://media.licdn.com/dms/image/v2/D1/${path}/0/1?e=1`;
  for (const [box, path, isImage] of [
    ['feed-images-content', 'feedshare-shrink_800', true],
    ['feed-pictures', 'feedshare-shrink_800', true],
    ['feed-pictures', 'profile-displayphoto-shrink_100_100', false],
    ['feed-pictures', 'feedshare-document-images_480', false],
    ['feed-pictures', 'videocover-high', false],
  ] as const) {
    test(`have ${isImage ? 'a' : 'no'} picture with ${path} in ${box}`, () => {
      const media = `<ul data-test-id="${box}"><li><img data-delayed-url="${picture(path)}"></li></ul>`;
      const images = company(article(first, media))[0]?.post.images.map(({ url }) => url);
      assert.deepEqual(images, isImage ? [picture(path)] : []);
    });
  }

  test('with an external video have an article with its link', () => {
    const link = `href="${site}/redir/redirect?url=https%3A%2F%2Fvideos%2Eexample%2Fwatch%3Fv%3Dfire&amp;urlhash=x"`;
    const mark = 'data-test-id="ingested-content-summary-external-video-content';
    const frame = '<iframe data-delayed-url="https://videos.example/embed/fire"></iframe>';
    const box = (headings: string) =>
      `<div ${mark}">${frame}<section ${mark}__headings">${headings}</section></div>`;
    const linked = box(`<a ${link}><h3>Fire</h3></a><h4>https://videos.example/</h4>`);
    const expected = { title: 'Fire', url: 'https://videos.example/watch?v=fire', thumbnail_url: null };
    for (const [media, articleOf] of [
      [`<a ${mark}" ${link}><div ${mark}__headings"><h2>Fire</h2></div></a>`, expected],
      [linked, expected],
      [box('<h3>Fire</h3>'), null],
    ] as const)
      assert.deepEqual(company(article(first, media))[0]?.post.article, articleOf);
  });

  test('of a page saved by a browser include the loaded fragments', () => {
    const items = Array.from({ length: 30 }, (_, n) =>
      article(`73540414045174743${String(n).padStart(2, '0')}`),
    );
    items.splice(10, 0, '<code id="feedPageStart"><!--10--></code>');
    assert.equal(company(items.join('')).length, 30);
  });

  test('without a URL have that of their number', () => {
    const [one] = company(article('7353670809363591170', '<p class="main-feed-activity-card__header">x</p>'));
    assert.equal(one?.permalink, `${site}/feed/update/urn:li:activity:7353670809363591170`);
    assert.equal(one?.post.published_at?.slice(0, 10), '2025-07-23');
  });

  const bar = '<div class="social-action-bar"></div>';
  const reactions =
    '<a data-test-id="social-actions__reactions"><span data-test-id="social-actions__reaction-count">2,656</span></a><a data-test-id="social-actions__comments">377 Comments</a>';
  for (const [name, inside, counts] of [
    ['unknown counts without the bar', '', [null, null, null]],
    ['counts of 0 with the bar alone', bar, [0, [], 0]],
    ['their counts beside the bar', reactions + bar, [2656, null, 377]],
  ] as const) {
    test(`have ${name}`, () => {
      const { reaction_count, reaction_breakdown, comment_count } =
        company(article(first, inside))[0]?.post ?? {};
      assert.deepEqual([reaction_count, reaction_breakdown, comment_count], counts);
    });
  }

  test('of the page of another post are refused', () => {
    const about = (body: string) => sitePage('feed', 'posts/x', body);
    assert.equal(readPostPage(about(article(first, commentary('t'))), first).text, 't');
    assert.throws(() => readPostPage(about(article(first, commentary('t'))), second), changed);
    assert.throws(() => readPostPage(about(''), first), changed);
  });

  const item = (link: string) => `<li><div class="base-main-card">${link}<h3>t</h3></div></li>`;
  const linked = (slug: string, at = 0) =>
    item(
      `<a class="base-card__full-link" href="${site}/posts/${slug}-activity-735367080936359117${at}-x"></a>`,
    );
  const listOf = (items: string, path = 'in/ann', vanity = 'ann') => {
    const list = `${heading('x')}<ul data-test-id="activities__list">${items}</ul>`;
    return readProfilePosts(sitePage('in', path, list), { kind: 'in', vanity }).posts;
  };

  for (const [vanity, slugs] of [
    ['ann_lee', ['ann_lee_hello']],
    ['annie', ['annie_hello']],
    ['åsa', ['%C3%A5sa_hej']],
    ['nobody', []],
  ] as const) {
    test(`of ${vanity} are told apart from those of names that begin alike`, () => {
      const items = ['ann_hello', 'ann_lee_hello', 'annie_hello', '%C3%A5sa_hej'].map((slug) => linked(slug));
      const own = listOf(items.join(''), `in/${vanity}`, vanity);
      assert.deepEqual(
        own.map(({ permalink }) => permalink?.split('/posts/')[1]?.split('-')[0]),
        slugs,
      );
    });
  }

  test('under an old name belong to the person', () => {
    const items = ['ann', 'jon', 'ann-new'].map((name, at) => linked(`${name}_hello`, at)).join('');
    assert.equal(listOf(items, 'in/ann-new').length, 2);
  });

  test('in a list with a post without a URL are platform_changed', () => {
    assert.equal(listOf(linked('ann_hello')).length, 1);
    assert.throws(() => listOf(linked('ann_hello') + item('<a></a>')), changed);
  });
});

describe('jobs', () => {
  const id = '4300000001';
  const url = `${site}/jobs-guest/jobs/api/jobPosting/${id}`;
  const title = '<section class="top-card-layout"><h2 class="topcard__title">T</h2></section>';
  const numbered = (number: string) => `<code id="decoratedJobPostingId"><!--"${number}"--></code>`;
  const posting = numbered(id);
  const count = (total: number) => `<code id="totalResults"><!--${total}--></code>`;
  const listOf = (body: string, head = '') =>
    readJobList(sitePage('jobs', 'jobs/search', body, head), true, 'Lighthouse keeper')?.jobs;
  const asked = (words: string) =>
    `<meta property="lnkd:url" content="${site}/jobs/search?location=Oslo&amp;keywords=${words}">`;
  const titled = (words: string) => `<title>${words}</title>`;

  for (const [head, isSame] of [
    [asked('lighthouse+keepers'), true],
    [titled('0 Lighthouse Keepers jobs in Oslo'), true],
    [titled('Jobs in Oslo | LinkedIn'), true],
    [titled('12 jobs'), true],
    [asked('rust+developer'), false],
    [titled('0 SDE-2 UI jobs in Gurugram'), false],
    [titled('1,000+ Rust Developer jobs'), false],
  ] as const) {
    test(`with ${head} are ${isSame ? 'an answer' : 'refused'}`, () => {
      if (isSame) assert.deepEqual(listOf(count(0), head), []);
      else assert.throws(() => listOf(count(0), head), changed);
    });
  }

  const none = (words: string) =>
    `<section class="no-results"><h1>No match for <strong class="no-results__main-title-keywords">${words}</strong></h1></section>`;
  const suggested =
    '<ul class="jobs-search__results-list"><li><div data-entity-urn="urn:li:jobPosting:1"><h3 class="base-search-card__title">T</h3></div></li></ul>';
  const ownNone = none('lighthouse keeper jobs in Oslo');
  for (const [name, body, size, head] of [
    ['a count of 0', count(0), 0],
    ['words for the search', ownNone, 0],
    ['words for the search beside a suggestion', ownNone + suggested, 0],
    ['a count of 0 beside a suggestion', suggested + count(0), 0],
    ['a job', suggested, 1],
    ['nothing', '', null],
    ['a count of 12', count(12), null],
    ['a mark in its head', '', null, '<meta name="linkedin:pageTag" content="emptyResult=true">'],
    ['words for another search', none('lamps'), null],
  ] as const) {
    test(`of a page with ${name} are ${size ?? 'changed'}`, () => {
      if (size === null) assert.throws(() => listOf(body, head), changed);
      else assert.equal(listOf(body, head)?.length, size);
    });
  }

  test('are read from a fragment without a card, too', () => {
    const body = `<div><h2 class="topcard__title">T</h2><span class="topcard__flavor">Co</span></div>${posting}`;
    assert.deepEqual(readJobPage(pageOf(url, body), id).job.company, { name: 'Co', url: null });
  });

  const other = `${site}/jobs/view/t-4300000002`;
  for (const [name, answer] of [
    ['has another number', pageOf(url, title + numbered('4300000002'))],
    ['has no number', pageOf(url, title)],
    ['has two titles', pageOf(url, `${title}${title}${posting}`)],
    [
      'links to another',
      pageOf(url, `<a class="topcard__link" href="${other}"><h2 class="topcard__title">T</h2></a>${posting}`),
    ],
    ['is at another address', pageOf(`${other}?trk=expired_jd_redirect`, title + posting)],
    [
      'names another address',
      sitePage('job', `jobs/view/${id}`, title, `<link rel="canonical" href="${other}">`),
    ],
    ['is a page of jobs', sitePage('jobs', 'jobs/search', title)],
  ] as const) {
    test(`are not read from a page that ${name}`, () =>
      assert.throws(() => readJobPage(answer, id), changed));
  }

  test('have cards with any root element and a number each', () => {
    const card = (tag: string, urn: string) =>
      `<li><${tag} class="base-search-card" data-entity-urn="${urn}"><h3 class="base-search-card__title">T</h3></${tag}></li>`;
    const read = (items: string) => readJobList(pageOf(url, items), true, 'x')?.jobs.map(({ id }) => id);
    const cards = ['div', 'a', 'article'].map((tag, at) => card(tag, `urn:li:jobPosting:${at}`));
    assert.deepEqual(read(cards.join('')), ['0', '1', '2']);
    for (const items of [card('div', 'urn:li:jobPosting:'), '<li>nothing</li>'])
      assert.throws(() => read(items), changed);
  });
});
