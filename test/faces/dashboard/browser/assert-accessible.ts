import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Colour schemes and widths that every page is tested in; 320 is the narrowest phone. */
const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1920, 1280, 832, 400, 320].map((width) => ({ colorScheme, width })),
);

/** Elements that overflow the screen if the page scrolls sideways. */
const tooWide = `document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] :
  ['the page', ...[...document.querySelectorAll('main *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth)
    .map((one) => one.tagName + '.' + one.className)]`;

/** Columns that overflow their table on wide screens, where readers would not notice that it scrolls. */
const cutTables = `[...document.querySelectorAll('main .table:not(.preview)')]
  .filter((table) => innerWidth >= 768 && table.scrollWidth > table.clientWidth)
  .map((table) => table.innerText.slice(0, 80))`;

/** Words in tables that are broken across lines, except names and code, which have no better place to break. */
const brokenWords = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const of = text.parentElement;
    if (of.closest('.table') === null || of.closest('code, .name, .unseen') !== null || !of.checkVisibility()) continue;
    for (const { 0: word, index } of text.data.matchAll(/(?<=^|[\\s/(])\\p{L}{2,13}(?=$|[\\s/),.;])/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(word);
    }
  }
  return found;
})()`;

/**
 * Links in text that colour alone tells from it, or whose line runs through the underscores of their words. Names in
 * code have a border as their line.
 */
const illegibleLinks = `[...document.querySelectorAll('main a:not(.button)')]
  .filter((link) => link.checkVisibility() && link.closest('nav, .presets') === null)
  .filter((link) => {
    const name = link.querySelector('code');
    if (name !== null && getComputedStyle(name).borderBottomStyle === 'solid') return false;
    const { textDecorationLine, textUnderlineOffset, fontSize } = getComputedStyle(link);
    return textDecorationLine !== 'underline' || parseFloat(textUnderlineOffset) < parseFloat(fontSize) / 6;
  })
  .map((link) => link.textContent)`;

/** Elements that the script hides and a style shows. */
const shownAnyway = `[...document.querySelectorAll('[hidden]')]
  .filter((one) => one.checkVisibility())
  .map((one) => one.outerHTML)`;

/** True if light and dark differ only in colours, by `light-dark()`, which accepts nothing else. */
const differsInColours = `![...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  .some((rule) => rule.cssText.includes('prefers-color-scheme')) &&
  document.querySelector('[media*="prefers-color-scheme"]') === null`;

/** The rules of axe that look at colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Axe names the elements that break a rule alone: selectors of those that keep one take most of its time. */
const axeRun = (options: object) =>
  `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) => violations)`;

/**
 * Fails if axe-core finds anything on the page in its current state, in light and dark, wide and narrow. If dark
 * differs only in colours, only those are checked in dark. Also fails for a page wider than the screen, and for links
 * that are hard to see.
 */
export async function assertAccessible(page: Page): Promise<void> {
  // By the debugging protocol, which the page's policy does not bind.
  await page.evaluate(source);
  const ofDark = (await page.evaluate(differsInColours)) === true ? { runOnly: colourRules } : {};
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    const where = `${page.url()}, ${colorScheme}, ${width} wide`;
    const wider = await page.evaluate(tooWide);
    assert.deepEqual(wider, [], `${where}: wider than the screen`);
    assert.deepEqual(await page.evaluate(cutTables), [], `${where}: tables that are cut off`);
    assert.deepEqual(await page.evaluate(brokenWords), [], `${where}: words that are broken`);
    assert.deepEqual(await page.evaluate(shownAnyway), [], `${where}: hidden and yet shown`);
    assert.deepEqual(await page.evaluate(illegibleLinks), [], `${where}: links that are hard to see`);
    const violations = (await page.evaluate(
      axeRun(colorScheme === 'dark' ? ofDark : {}),
    )) as AxeResults['violations'];
    const problems = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${help}, ${target.join(' ')}: ${failureSummary}`),
    );
    assert.deepEqual(problems, [], where);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
