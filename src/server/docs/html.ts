/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function spelled(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(spelled).join('');
  return String(part).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** HTML from a template: whatever is put into it is escaped, unless it is HTML itself. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.reduce((whole, text, index) => whole + spelled(parts[index - 1] ?? null) + text));
}

/** The little Markdown that descriptions are written in: paragraphs, `code`, lists with dashes. */
export function prose(markdown: string): Html {
  const line = (text: string): readonly Part[] =>
    text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${markdown
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.split('\n');
      return lines.every((one) => /^\s*- /.test(one))
        ? html`<ul>${lines.map((one) => html`<li>${line(one.replace(/^\s*- /, ''))}</li>`)}</ul>`
        : html`<p>${line(lines.join(' '))}</p>`;
    })}`;
}
