import { type ChildNode, isTag } from 'domhandler';
import { type HtmlText, isDispensable } from './html-text.js';
import { type Item, itemsBelow, renderJson } from './json-text.js';

/** Shorter parts stay: they cost little, and a page without them would not resemble a real one. */
const minElementLength = 600;
const minItemLength = 160;

/** Removes what the answer does not need, by bisection: few attempts if most can go. */
async function cutMost<Part>(
  parts: readonly Part[],
  setCut: (part: Part, cut: boolean) => void,
  isSame: () => Promise<boolean>,
): Promise<void> {
  if (parts.length === 0) return;
  for (const part of parts) setCut(part, true);
  if (await isSame()) return;
  for (const part of parts) setCut(part, false);
  if (parts.length === 1) return;
  const middle = Math.ceil(parts.length / 2);
  await cutMost(parts.slice(0, middle), setCut, isSame);
  await cutMost(parts.slice(middle), setCut, isSame);
}

const sizeOf = (node: ChildNode): number =>
  (isTag(node) ? node.children.reduce((sum, child) => sum + sizeOf(child), 60) : 0) +
  ('data' in node ? String(node.data).length : 0);

/**
 * Removes scripts, styles, large elements and data from a page, as long as `isSame` says that the answer is unchanged.
 * `isKnownKey` identifies the keys that stay if they are small.
 */
export async function shrink(
  page: HtmlText,
  isKnownKey: (key: string) => boolean,
  isSame: () => Promise<boolean>,
): Promise<void> {
  const setNode = (node: ChildNode, cut: boolean) => (cut ? page.cut.add(node) : page.cut.delete(node));
  await cutMost(
    [...page.root.children, ...page.elements().flatMap(({ children }) => children)].filter(isDispensable),
    setNode,
    isSame,
  );
  const remainingBelow = (nodes: readonly ChildNode[]) =>
    nodes.flatMap((node) => (isTag(node) ? node.children : [])).filter((node) => !page.cut.has(node));
  let level = page.root.children.filter((node) => !page.cut.has(node));
  while (level.length > 0) {
    await cutMost(
      level.filter((node) => isTag(node) && sizeOf(node) > minElementLength),
      setNode,
      isSame,
    );
    level = remainingBelow(level.filter((node) => !page.cut.has(node)));
  }
  const setItem = (item: Item, cut: boolean) => {
    item.cut = cut;
  };
  let items = itemsBelow([...page.parts].flatMap(([node, parts]) => (page.cut.has(node) ? [] : parts)));
  while (items.length > 0) {
    const isSpare = ({ key, value }: Item) =>
      (key !== null && !isKnownKey(key.raw.trimStart().slice(1, -1))) ||
      renderJson(value, null).length > minItemLength;
    await cutMost(items.filter(isSpare), setItem, isSame);
    items = itemsBelow(items.filter(({ cut }) => !cut));
  }
}
