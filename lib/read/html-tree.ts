import { compile, selectAll, selectOne } from 'css-select';
import { type ChildNode, type Document, DomHandler, type Element, isTag, isText } from 'domhandler';
import { Parser } from 'htmlparser2';
import { ExtractError } from '../errors/extract-error.js';

/**
 * A tree of a piece of HTML, and its queries. It loads the HTML parser (20 ms). So a reader imports it when it has a
 * page to read, never before.
 */
export type { Element } from 'domhandler';
export type Tree = Document | Element;

/** Deeper than any page's markup; a tree without bound would overflow what walks it. */
const maxDepth = 300;

class BoundedHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > maxDepth) {
      throw new ExtractError('platform_changed', `The page nests deeper than ${maxDepth} elements.`);
    }
    super.onopentag(name, attributes);
  }
}

/** HTML → tree. Throws `platform_changed` for markup that nests without end. */
export function treeOf(html: string): Document {
  const handler = new BoundedHandler();
  new Parser(handler).end(html);
  return handler.root;
}

type Compiled = ReturnType<typeof compile<ChildNode, Element>>;
const compiled = new Map<string, Compiled>();

function query(selector: string): Compiled {
  let known = compiled.get(selector);
  if (known === undefined) {
    known = compile<ChildNode, Element>(selector);
    compiled.set(selector, known);
  }
  return known;
}

/** Every element below `tree` that the selector names, in order. */
export function all(tree: Tree, selector: string): Element[] {
  return selectAll<ChildNode, Element>(query(selector), tree.children);
}

/** The first element below `tree` that the selector names, or null. */
export function one(tree: Tree | null, selector: string): Element | null {
  return tree === null ? null : selectOne<ChildNode, Element>(query(selector), tree.children);
}

/** An attribute of an element, or null. */
export function attr(element: Element | null, name: string): string | null {
  if (element === null || !Object.hasOwn(element.attribs, name)) return null;
  return element.attribs[name] ?? null;
}

/** Text of these never shows. */
const invisibleElements: ReadonlySet<string> = new Set(['script', 'style', 'template', 'code', 'noscript']);
const blocks: ReadonlySet<string> = new Set(
  'address article blockquote dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul'.split(' '),
);

/** Walks the text of a tree. It calls `text` for text, and `edge` around what stands on its own line. */
function walk(tree: Tree, text: (data: string) => void, edge: (name: string) => void, skip: string): void {
  const visit = (node: ChildNode): void => {
    if (isText(node)) text(node.data);
    else if (isTag(node) && !invisibleElements.has(node.name) && node.name !== skip) {
      const own = node.name === 'br' || blocks.has(node.name);
      if (own) edge(node.name);
      for (const child of node.children) visit(child);
      if (own && node.name !== 'br') edge(node.name);
    }
  };
  for (const child of tree.children) visit(child);
}

const orNull = (text: string): string | null => (text === '' ? null : text.toWellFormed());

/** Text on one line, white space folded; null where there is none. */
export function line(tree: Tree | null): string | null {
  if (tree === null) return null;
  let whole = '';
  walk(
    tree,
    (data) => (whole += data),
    () => (whole += ' '),
    '',
  );
  return orNull(whole.replace(/\s+/g, ' ').trim());
}

/** Text as a browser lays it out: white space folded, a new line for each block and break. Without buttons. */
export function prose(tree: Tree | null): string | null {
  if (tree === null) return null;
  let whole = '';
  let edge = false;
  const breakLine = () => {
    if (edge && whole !== '' && !whole.endsWith('\n')) whole += '\n';
    edge = false;
  };
  walk(
    tree,
    (data) => {
      const text = data.replace(/[\t\n\f\r ]+/g, ' ');
      if (text !== ' ') breakLine();
      if (!edge) whole += text;
    },
    (name) => {
      if (name !== 'br') edge = true;
      else {
        breakLine();
        whole += '\n';
      }
    },
    'button',
  );
  return orNull(
    whole
      .replace(/(?<! ) *\n */g, '\n')
      .replace(/ {2,}/g, ' ')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  );
}

/** Text whose line breaks are its own (`white-space: pre-wrap`); white space around it is left out. */
export function verbatim(tree: Tree | null): string | null {
  if (tree === null) return null;
  let whole = '';
  walk(
    tree,
    (data) => (whole += data),
    (name) => (whole += name === 'br' ? '\n' : ''),
    'button',
  );
  return orNull(whole.trim());
}

/** Text that stands in the element itself, not in elements inside it; each piece folded, empty ones left out. */
export function ownTexts(element: Element | null): string[] {
  return (element?.children ?? []).flatMap((child) => {
    const text = isText(child) ? child.data.replace(/\s+/g, ' ').trim() : '';
    return text === '' ? [] : [text.toWellFormed()];
  });
}
