import { Marked, type Token, type Tokens } from 'marked';
import { renderToStaticMarkup } from 'react-dom/server';
import { Code, SampleTabs } from './code.js';

/** A section of a page. */
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

/** The words of Markdown, without its marks. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return 'text' in token ? String(token.text) : token.type === 'br' ? ' ' : '';
    })
    .join('');
}

/** Letters of a name that a narrow column still holds in one piece. */
const maxWhole = 28;

/** Text in which names that are too long for a column may break, after what joins their words. */
const breakable = (text: string) =>
  escaped(text).replace(/\S+/g, (word) =>
    word.length > maxWhole ? word.replace(/(?<=[\w)}][_/|,=.?:@])(?=\w)/g, '<wbr>') : word,
  );

/** How the languages of samples are named on their tabs. */
const languages: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
};

/** Lines above which a block of code scrolls by itself, so that what follows it is found. */
const maxLines = 60;

const isTitle = (token: Token) => token.type === 'heading' && (token as Tokens.Heading).depth === 1;

const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === 'code';

/** The language of a block of code, and the name that follows it: `python requests`. */
function sampleOf({ lang = '', text }: Tokens.Code) {
  const [language = '', ...name] = lang.split(' ');
  return { language, text, label: name.join(' ') || (languages[language] ?? '') };
}

/** Blocks of code that follow each other in several languages say the same, and become tabs. */
function groups(tokens: readonly Token[]): Token[][] {
  const found: Token[][] = [];
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = found.at(-1);
    const labels = last?.map((one) => (isCode(one) ? sampleOf(one).label : '')) ?? [];
    const joins = isCode(token) && sampleOf(token).label !== '' && !labels.includes(sampleOf(token).label);
    if (joins && last !== undefined && isCode(last[0]) && labels[0] !== '') last.push(token);
    else found.push([token]);
  }
  return found;
}

const marked = new Marked({
  // Only marked links are links: a password in a sample may look like a mail address.
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

/** A page of Markdown as HTML, without its title. It is ours: HTML in it is shown as text all the same. */
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
  return { html: html.join(''), sections };
}

/** The text of each section, for a search: paragraphs, items and rows on lines of their own, without code. */
export function sectionTexts(markdown: string): readonly (Section & { readonly lines: readonly string[] })[] {
  const found: (Section & { readonly lines: string[] })[] = [];
  const linesOf = (token: Token): string[] => {
    if (token.type === 'heading' || isCode(token)) return [];
    if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens));
    if (token.type !== 'table') return [plainText([token])];
    const { rows } = token as Tokens.Table;
    return rows.map((row) => row.map((cell) => plainText(cell.tokens)).join(' · '));
  };
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' || found.length === 0) {
      const title = token.type === 'heading' ? plainText((token as Tokens.Heading).tokens) : '';
      found.push({ id: slug(title), title, depth: (token as Tokens.Heading).depth ?? 1, lines: [] });
    }
    found.at(-1)?.lines.push(...linesOf(token).filter((line) => line.trim() !== ''));
  }
  return found;
}
