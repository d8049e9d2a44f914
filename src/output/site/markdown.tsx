import { Marked, type Token, type Tokens } from 'marked';
import { renderToStaticMarkup } from 'react-dom/server';
import { Code, SampleTabs } from './code.js';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
}

export interface RenderedPage {
  readonly html: string;
  readonly sections: readonly Section[];
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return 'text' in token ? String(token.text) : token.type === 'br' ? ' ' : '';
    })
    .join('');
}

/** Characters of a name that fit a narrow column unbroken. */
const maxUnbroken = 28;

/** Lets longer names break after the characters that join their words. */
const breakable = (text: string) =>
  escaped(text).replace(/\S+/g, (word) =>
    word.length > maxUnbroken ? word.replace(/(?<=[\w)}][_/|,=.?:@])(?=\w)/g, '<wbr>') : word,
  );

const languages: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
};

/** Longer code blocks scroll on their own, so that the text after them is found. */
const maxLines = 60;

const isTitle = (token: Token) => token.type === 'heading' && (token as Tokens.Heading).depth === 1;

const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === 'code';

/** Splits a block's info string: `python requests`. */
function sampleOf({ lang = '', text }: Tokens.Code) {
  const [language = '', ...name] = lang.split(' ');
  return { language, text, label: name.join(' ') || (languages[language] ?? '') };
}

/** Groups consecutive code blocks in several languages, which become tabs. */
function groups(tokens: readonly Token[]): Token[][] {
  const rows: Token[][] = [];
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = rows.at(-1);
    const labels = last?.map((one) => (isCode(one) ? sampleOf(one).label : '')) ?? [];
    const joins = isCode(token) && sampleOf(token).label !== '' && !labels.includes(sampleOf(token).label);
    if (joins && last !== undefined && isCode(last[0]) && labels[0] !== '') last.push(token);
    else rows.push([token]);
  }
  return rows;
}

const marked = new Marked({
  // No automatic links: a password in a sample may look like an e-mail address.
  tokenizer: { url: () => undefined, autolink: () => undefined },
  renderer: {
    html: ({ text }) => escaped(text),
    code: (token) =>
      renderToStaticMarkup(
        <Code {...sampleOf(token)} label={undefined} tall={token.text.split('\n').length > maxLines} />,
      ),
    text(token) {
      if ('tokens' in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens);
      return 'escaped' in token && token.escaped ? token.text : breakable(token.text);
    },
    codespan: ({ text }) => `<code>${breakable(text)}</code>`,
    heading({ tokens, depth }) {
      const id = slug(plainText(tokens));
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    table({ header, rows }) {
      const titles = header.map(({ tokens }) => escaped(plainText(tokens)));
      const head = header.map(({ tokens }) => `<th scope="col">${this.parser.parseInline(tokens)}</th>`);
      const body = rows.map((row) => {
        const cells = row.map(({ tokens }, at) => {
          const [tag, more] = at === 0 ? ['th', ' scope="row"'] : ['td', ''];
          const empty = tokens.length === 0 ? ' class="empty-cell"' : '';
          return `<${tag}${more}${empty} data-title="${titles[at]}"><div>${this.parser.parseInline(tokens)}</div></${tag}>`;
        });
        return `<tr>${cells.join('')}</tr>`;
      });
      return `<div class="table"><table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>\n`;
    },
  },
});

/** Puts an object's fields and its example into one block, side by side on wide screens. */
function withFieldsNextToExample(blocks: readonly Token[][], html: string[]): string[] {
  const titles = blocks.map(([token]) =>
    token?.type === 'heading' && (token as Tokens.Heading).depth === 2 ? slug(plainText([token])) : null,
  );
  const [from, middle] = [titles.indexOf('fields'), titles.indexOf('response')];
  if (from < 0 || middle < from) return html;
  const next = titles.findIndex((title, at) => at > middle && title !== null);
  const end = next < 0 ? html.length : next;
  const half = (part: readonly string[]) => `<div>${part.join('')}</div>`;
  const block = `<div class="beside">${half(html.slice(from, middle))}${half(html.slice(middle, end))}</div>`;
  return [...html.slice(0, from), block, ...html.slice(end)];
}

/** Renders a Markdown page of this program without its title. HTML in it is escaped nevertheless. */
export function renderMarkdown(markdown: string): RenderedPage {
  const tokens = marked.lexer(markdown);
  const sections = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading' && token.depth > 1)
    .map((token) => {
      const title = plainText(token.tokens);
      return { id: slug(title), title, depth: token.depth };
    });
  const blocks = groups(tokens.filter((token) => !isTitle(token)));
  const html = blocks.map((group, at) => {
    if (group.length === 1) return marked.parser(group);
    const samples = group.filter(isCode).map(sampleOf);
    return renderToStaticMarkup(<SampleTabs name={`sample-${at}`} samples={samples} />);
  });
  return { html: withFieldsNextToExample(blocks, html).join(''), sections };
}

/** Returns the text of each section for the search: paragraphs, items and rows on separate lines, without code. */
export function sectionTexts(markdown: string): readonly (Section & { readonly lines: readonly string[] })[] {
  const sections: (Section & { readonly lines: string[] })[] = [];
  const linesOf = (token: Token): string[] => {
    if (token.type === 'heading' || isCode(token)) return [];
    if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens));
    if (token.type !== 'table') return [plainText([token])];
    const { rows } = token as Tokens.Table;
    return rows.map((row) => row.map((cell) => plainText(cell.tokens)).join(' · '));
  };
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' || sections.length === 0) {
      const title = token.type === 'heading' ? plainText((token as Tokens.Heading).tokens) : '';
      sections.push({ id: slug(title), title, depth: (token as Tokens.Heading).depth ?? 1, lines: [] });
    }
    sections.at(-1)?.lines.push(...linesOf(token).filter((line) => line.trim() !== ''));
  }
  return sections;
}
