import assert from 'node:assert/strict';
import type { Page } from './browser.js';

/**
 * Checks what every page owes: a title, one heading of the first rank, a language, a label for each field. Each form
 * has a token, nothing is inline, the policy is strict, and links lead somewhere. Links to elsewhere are to items of
 * platforms alone, say so and name no page of ours. `follow` gives the status of what a link leads to.
 */
export async function assertPage(page: Page, follow: (link: string) => Promise<number>): Promise<void> {
  const { $, url, headers } = page;
  assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/, url);
  assert.equal(headers['cache-control'], 'no-store', url);
  const policy = String(headers['content-security-policy']);
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
  ]) {
    assert.ok(policy.includes(part), `${url}: ${part}`);
  }
  assert.doesNotMatch(policy, /unsafe|\*/, url);
  assert.equal(headers['x-content-type-options'], 'nosniff', url);
  assert.equal(headers['referrer-policy'], 'same-origin', url);

  assert.equal($('html').attr('lang'), 'en', url);
  assert.match($('head title').text(), /^\S.* · extract$/, url);
  assert.equal($('h1').length, 1, url);
  assert.equal($('main#content').length, 1, url);
  assert.equal($('a[href="#content"]').length, 1, url);
  assert.equal($('style, script:not([src]), [style], iframe').length, 0, `${url}: something inline`);
  const inline = $('*')
    .toArray()
    .flatMap((element) => Object.keys($(element).attr() ?? {}).filter((name) => name.startsWith('on')));
  assert.deepEqual(inline, [], url);
  const ids = $('[id]')
    .toArray()
    .map(({ attribs }) => attribs.id);
  assert.equal(new Set(ids).size, ids.length, `${url}: an id comes twice: ${ids.join(' ')}`);

  for (const field of $('input:not([type=hidden]), select, textarea').toArray()) {
    const { id = '', name } = field.attribs;
    const labels = $(`label[for="${id}"]`).length + $(field).closest('label').length;
    assert.equal(labels, 1, `${url}: the field ${name} has ${labels} labels`);
    for (const describedBy of (field.attribs['aria-describedby'] ?? '').split(' ').filter(Boolean)) {
      assert.equal($(`#${describedBy}`).length, 1, `${url}: ${name} is described by ${describedBy}`);
    }
  }
  for (const form of $('form[method=post]').toArray()) {
    assert.equal($(form).find('input[name=_csrf]').length, 1, `${url}: a form without its token`);
  }
  for (const image of $('svg').toArray()) {
    const isNamed = image.attribs['aria-hidden'] === 'true' || $(image).find('title').length > 0;
    assert.ok(isNamed, `${url}: a drawing that says nothing`);
  }

  for (const element of $('a[href], link[rel=stylesheet], script[src]').toArray()) {
    const link = element.attribs.href ?? element.attribs.src ?? '';
    if (link.startsWith('#')) {
      assert.equal($(link).length, 1, `${url} leads to ${link}`);
      continue;
    }
    if (element.attribs.rel === 'external noreferrer') {
      assert.match(link, /^https?:\/\//, url);
      continue;
    }
    assert.match(link, /^\/(?!\/)/, `${url} leads elsewhere: ${link}`);
    assert.equal(await follow(link), 200, `${url} leads to ${link}`);
  }
}
