/** Scripts for a frame. Strings, because compiler helpers do not exist there. */

const common = `
  const shows = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const clickable = 'button, [role="button"], a';
  const leads = (one) => one.localName === 'a' && one.hasAttribute('href') &&
    !/^(#|javascript:)/i.test(one.getAttribute('href')) && !/\\bnext\\b/i.test(one.rel);
  const wordsOf = (one) => (one.innerText || '').trim();
`;

/**
 * Finds what a visitor presses to see more, by position: directly after the last row of the largest list, outside its
 * container. Of several in one line, the last one. Null if there is none.
 */
export const moreByPosition = `() => {
  ${common}
  const around = 'nav, header, footer, form, dialog, [role="navigation"], [role="banner"], [role="contentinfo"], [role="dialog"], [aria-modal="true"]';
  let rows = [];
  let largest = 0;
  for (const parent of document.querySelectorAll('body, body *')) {
    if (parent.childElementCount < 2 || parent.closest(around) || !shows(parent)) continue;
    const { localName } = parent.lastElementChild.previousElementSibling;
    const own = [...parent.children].filter((one) => one.localName === localName && one.offsetHeight >= 20);
    const area = own.reduce((sum, one) => sum + one.offsetHeight * one.offsetWidth, 0);
    if (own.length >= 2 && area > largest && !/^(button|a|script|style)$/.test(localName)) {
      rows = own;
      largest = area;
    }
  }
  if (rows.length === 0) return null;
  const isInRow = (one) => rows.slice(0, -1).some((row) => row.contains(one));
  const last = rows.at(-1).getBoundingClientRect();
  const found = [...document.querySelectorAll(clickable)].filter((one) => {
    if (!shows(one) || one.disabled || leads(one) || one.closest(around) || isInRow(one)) return false;
    const { top, left, right, height } = one.getBoundingClientRect();
    const end = rows.at(-1).contains(one) ? last.top : last.bottom;
    return height > 0 && top >= end - 4 && top - end <= 300 && right > last.left && left < last.right;
  });
  const topOf = (one) => one.getBoundingClientRect().top;
  const first = Math.min(...found.map(topOf));
  return found.findLast((one) => topOf(one) <= first + 4) || null;
}`;

/**
 * Finds what a visitor presses to dismiss an overlay, by role and position: a small button in an upper corner, the only
 * button next to links, or the only one without a fill. Returns "escape" for an overlay without such a button, and null
 * without an overlay. An overlay that scrolls, or contains much text, is no prompt.
 */
export const closeByPosition = `() => {
  ${common}
  const isMuch = (box) => wordsOf(box).length > 1500 || box.querySelector('main') !== null ||
    [box, ...box.querySelectorAll('*')].some((one) => one.scrollHeight > one.clientHeight + 1 &&
      one.clientHeight >= 100 && one.clientWidth >= 100 && /auto|scroll/.test(getComputedStyle(one).overflowY));
  const boxes = [...document.querySelectorAll('dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]')];
  for (let one = document.elementFromPoint(innerWidth / 2, innerHeight / 2); one !== null; one = one.parentElement) {
    if (getComputedStyle(one).position === 'fixed' && one !== document.body) boxes.push(one);
  }
  const prompts = boxes.filter((box) => shows(box) && box.offsetHeight > 0 && !isMuch(box));
  const isInCorner = (box, one) => {
    let panel = one.parentElement;
    while (panel !== box && (panel.offsetWidth < 200 || panel.offsetHeight < 100)) panel = panel.parentElement;
    const outer = panel.getBoundingClientRect();
    const { top, left, right, width, height } = one.getBoundingClientRect();
    return width > 0 && width <= 72 && height <= 72 && top - outer.top <= outer.height / 3 &&
      Math.min(left - outer.left, outer.right - right) <= outer.width / 6;
  };
  for (const box of prompts) {
    const all = [...box.querySelectorAll(clickable)].filter((one) => shows(one) && !one.disabled);
    const buttons = all.filter((one) => !leads(one));
    const corner = buttons.find((one) => wordsOf(one).length <= 2 && isInCorner(box, one));
    if (corner) return corner;
    const bare = buttons.filter((one) => /^(transparent|rgba\\(.*, 0\\))$/.test(getComputedStyle(one).backgroundColor));
    const isForm = box.querySelector('input:not([type="hidden"]), textarea') !== null;
    if (isForm) continue;
    if (buttons.length === 1 && all.length > 1) return buttons[0];
    if (buttons.length > 1 && bare.length === 1) return bare[0];
  }
  return prompts.length > 0 ? 'escape' : null;
}`;
