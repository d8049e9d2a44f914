import {
  type ChildNode,
  Document,
  DomHandler,
  type Element,
  isComment,
  isTag,
  isText,
  type ParentNode,
  Text,
} from 'domhandler';
import { Parser } from 'htmlparser2';
import { type Segment, segmentsOf } from './json-text.js';

/** A page as written: entities and the JSON in its scripts keep their spelling. */
export interface HtmlText {
  readonly root: ParentNode;
  /** The JSON in scripts or, for a page without elements, in its text. */
  readonly parts: ReadonlyMap<ChildNode, readonly Segment[]>;
  readonly cut: Set<ChildNode>;
  elements(): Element[];
  segments(): Segment[];
}

function* nodesBelow(parent: ParentNode): Generator<ChildNode> {
  for (const node of parent.children) {
    yield node;
    if (isTag(node)) yield* nodesBelow(node);
  }
}

function treeOf(text: string): Document {
  const handler = new DomHandler();
  new Parser(handler, { decodeEntities: false }).end(text);
  return handler.root;
}

/** Parses a body. A JSON body is a tree of one text. */
export function htmlOf(text: string): HtmlText {
  const isPage = /^\s*(?:\uFEFF)?</.test(text);
  const root = isPage ? treeOf(text) : new Document([new Text(text)]);
  const parts = new Map<ChildNode, Segment[]>();
  for (const node of nodesBelow(root)) {
    const inScript = node.parent !== null && isTag(node.parent) && node.parent.name === 'script';
    if (isText(node) && (inScript || !isPage)) parts.set(node, segmentsOf(node.data));
  }
  return {
    root,
    parts,
    cut: new Set(),
    elements: () => [...nodesBelow(root)].filter(isTag),
    segments: () => [...parts.values()].flat(),
  };
}

/** How the parts of a page are changed on output. */
export interface HtmlChange {
  text(node: ChildNode, text: string): string;
  /** Null removes the attribute. */
  attribute(name: string, value: string): string | null;
  tag(name: string): string;
}

const empty: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta source track wbr'.split(' '),
);

export function renderHtml({ root, cut }: HtmlText, change: HtmlChange): string {
  const render = (node: ChildNode): string => {
    if (cut.has(node)) return '';
    if (isText(node)) return change.text(node, node.data);
    if (isComment(node)) return `<!--${change.text(node, node.data)}-->`;
    if (!isTag(node)) return 'data' in node ? `<${String(node.data)}>` : '';
    const attributes = Object.entries(node.attribs).flatMap(([name, value]) => {
      const replacement = change.attribute(name, value);
      if (replacement === null) return [];
      const quote = replacement.includes('"') ? "'" : '"';
      return [replacement === '' ? ` ${name}=""` : ` ${name}=${quote}${replacement}${quote}`];
    });
    const name = change.tag(node.name);
    const inside = node.children.map(render).join('');
    return `<${name}${attributes.join('')}>${empty.has(name) ? '' : `${inside}</${name}>`}`;
  };
  return root.children.map(render).join('');
}

/** True for parts that most pages do not need: code, styles, pictures, comments. */
export function isDispensable(node: ChildNode): boolean {
  if (isComment(node)) return true;
  return isTag(node) && /^(?:script|style|svg|noscript|link|iframe|template|img)$/.test(node.name);
}
