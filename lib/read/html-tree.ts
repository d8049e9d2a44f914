import { compile, selectAll, selectOne } from 'css-select';
import { type ChildNode, type Document, DomHandler, type Element, isTag, isText } from 'domhandler';
import { Parser } from 'htmlparser2';
import { ExtractError } from '../errors/extract-error.js';
import { refuseLong } from './html.js';

/**
 * Trees of pieces of HTML, and queries over them. This module loads the HTML parser (20 ms), so a reader imports it
 * only when it has a page to read.
 */
export type { Element } from 'domhandler';
export type Tree = Document | Element;

/** Deeper than any real page. A deeper tree would overflow the functions that walk it. */
const maxDepth = 300;

class BoundedHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > maxDepth) {
      throw new ExtractError('platform_changed', `The page nests deeper than ${maxDepth} elements.`);
    }
    super.onopentag(name, attributes);
  }
}

/** Throws `platform_changed` for markup that is nested too deep or too long. */
export function treeOf(html: string): Document {
  refuseLong(html);
  const handler = new BoundedHandler();
  new Parser(handler).end(html);
  return handler.root;
}

type Compiled = ReturnType<typeof compile<ChildNode, Element>>;
const compiled = new Map<string, Compiled>();

function query(selector: string): Compiled {
  let compiledSelector = compiled.get(selector);
  if (compiledSelector === undefined) {
    compiledSelector = compile<ChildNode, Element>(selector);
    compiled.set(selector, compiledSelector);
  }
  return compiledSelector;
}

/** Returns every matching element below `tree`, in order. */
export function all(tree: Tree, selector: string): Element[] {
  // Of an array of nodes, css-select would compare each with all others.
  return selectAll<ChildNode, Element>(query(selector), tree);
}

/** Returns the first matching element below `tree`, or null. */
export function firstElement(tree: Tree | null, selector: string): Element | null {
  return tree === null ? null : selectOne<ChildNode, Element>(query(selector), tree);
}

export function attr(element: Element | null, name: string): string | null {
  if (element === null || !Object.hasOwn(element.attribs, name)) return null;
  return element.attribs[name] ?? null;
}

/** Elements whose text is never visible. */
const invisibleElements: ReadonlySet<string> = new Set(['script', 'style', 'template', 'code', 'noscript']);
const blocks: ReadonlySet<string> = new Set(
  'address article blockquote dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table tr ul'.split(' '),
);

/** Walks the text of a tree. Calls `text` for text, and `edge` around block elements. */
function walk(tree: Tree, text: (data: string) => void, edge: (name: string) => void, skip: string): void {
  const visit = (node: ChildNode): void => {
    if (isText(node)) text(node.data);
    else if (isTag(node) && !invisibleElements.has(node.name) && node.name !== skip) {
      const isBlock = node.name === 'br' || blocks.has(node.name);
      if (isBlock) edge(node.name);
      for (const child of node.children) visit(child);
      if (isBlock && node.name !== 'br') edge(node.name);
    }
  };
  for (const child of tree.children) visit(child);
}

const orNull = (text: string): string | null => (text === '' ? null : text.toWellFormed());

/** Returns the text on one line with white space collapsed; null if there is none. */
export function line(tree: Tree | null): string | null {
  if (tree === null) return null;
  let text = '';
  walk(
    tree,
    (data) => (text += data),
    () => (text += ' '),
    '',
  );
  return orNull(text.replace(/\s+/g, ' ').trim());
}

/**
 * Returns the text as a browser lays it out: white space collapsed, a new line for each block and break, without
 * buttons.
 */
export function prose(tree: Tree | null): string | null {
  if (tree === null) return null;
  let laidOut = '';
  let edge = false;
  const breakLine = () => {
    if (edge && laidOut !== '' && !laidOut.endsWith('\n')) laidOut += '\n';
    edge = false;
  };
  walk(
    tree,
    (data) => {
      const text = data.replace(/[\t\n\f\r ]+/g, ' ');
      if (text !== ' ') breakLine();
      if (!edge) laidOut += text;
    },
    (name) => {
      if (name !== 'br') edge = true;
      else {
        breakLine();
        laidOut += '\n';
      }
    },
    'button',
  );
  return orNull(
    laidOut
      .replace(/(?<! ) *\n */g, '\n')
      .replace(/ {2,}/g, ' ')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  );
}

/** Returns text whose line breaks count (`white-space: pre-wrap`), without surrounding white space. */
export function verbatim(tree: Tree | null): string | null {
  if (tree === null) return null;
  let text = '';
  walk(
    tree,
    (data) => (text += data),
    (name) => (text += name === 'br' ? '\n' : ''),
    'button',
  );
  return orNull(text.trim());
}

/** Returns the text directly inside the element, not in its children: each piece collapsed, without empty ones. */
export function ownTexts(element: Element | null): string[] {
  return (element?.children ?? []).flatMap((child) => {
    const text = isText(child) ? child.data.replace(/\s+/g, ' ').trim() : '';
    return text === '' ? [] : [text.toWellFormed()];
  });
}
