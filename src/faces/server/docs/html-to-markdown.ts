import { type AnyNode, Element, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';

/** Text of a run of elements, as one line. */
function inline(nodes: readonly AnyNode[]): string {
  return nodes
    .map((node) => {
      if (isText(node)) return node.data.replace(/\s+/g, ' ');
      if (!isTag(node)) return '';
      const text = inline(node.children);
      if (node.name === 'code') return `\`${text}\``;
      if (node.name === 'a') return `[${text}](${node.attribs.href})`;
      if (node.name === 'strong') return `**${text}**`;
      return node.name === 'br' ? ' ' : text;
    })
    .join('');
}

const tagsIn = (node: Element, name?: string) =>
  node.children.filter(
    (child): child is Element => isTag(child) && (name === undefined || child.name === name),
  );

function plain(node: AnyNode): string {
  if (isText(node)) return node.data;
  return isTag(node) ? node.children.map(plain).join('') : '';
}

/** A cell: its paragraphs and lists on one line. */
const cell = (node: Element) =>
  blocks(node.children).join(' ').replaceAll('\n', ' ').replaceAll('|', '\\|').trim();

function table(node: Element): string {
  const rows = tagsIn(node).flatMap((part) => tagsIn(part, 'tr'));
  const lines = rows.map((row) => `| ${tagsIn(row).map(cell).join(' | ')} |`);
  const columns = rows[0] === undefined ? 0 : tagsIn(rows[0]).length;
  return [lines[0], `|${' --- |'.repeat(columns)}`, ...lines.slice(1)].join('\n');
}

const isBlock = (node: AnyNode) =>
  isTag(node) && /^(?:h\d|p|ul|pre|div|details|summary|table|dl)$/.test(node.name);

function block(node: Element): readonly string[] {
  const heading = /^h(\d)$/.exec(node.name);
  if (heading !== null) return [`${'#'.repeat(Number(heading[1]))} ${inline(node.children).trim()}`];
  if (node.name === 'ul') {
    return [
      tagsIn(node, 'li')
        .map((item) => `- ${inline(item.children).trim()}`)
        .join('\n'),
    ];
  }
  if (node.name === 'pre') {
    const language = tagsIn(node, 'code')[0]?.attribs['data-language'] ?? '';
    return [`\`\`\`${language}\n${plain(node).trimEnd()}\n\`\`\``];
  }
  if (node.name === 'table') return [table(node)];
  if (node.name === 'summary') return [`**${inline(node.children).trim()}**`];
  return blocks(node.children);
}

/** Blocks in their order; what stands between them is a paragraph. */
function blocks(nodes: readonly AnyNode[]): string[] {
  const found: string[] = [];
  let run: AnyNode[] = [];
  const endRun = () => {
    const text = inline(run).trim();
    if (text !== '') found.push(text);
    run = [];
  };
  for (const node of nodes) {
    if (node instanceof Element && isBlock(node)) {
      endRun();
      found.push(...block(node));
    } else run.push(node);
  }
  endRun();
  return found;
}

/**
 * The Markdown of a page of ours, from the few elements that its HTML is made of. Translators of any HTML escape names
 * with underscores and drop code within tables (tried 2026-11).
 */
export function htmlToMarkdown(html: string): string {
  return `${blocks(parseDocument(html).children).join('\n\n')}\n`;
}
