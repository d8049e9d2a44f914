import type { ReactNode } from 'react';
import { InlineCode } from '../../../output/html.js';
import { type RequestSample, requestSamples, type SampleRequest } from '../../../output/request-samples.js';
import type { State } from '../../../service/health/endpoint-state.js';

interface PageProps {
  readonly title: string;
  /** What was searched for. */
  readonly query?: string;
  readonly children: ReactNode;
}

/** A whole page around its content. */
export function Page({ title, query, children }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · extract`}</title>
        <link rel="stylesheet" href="/docs/style.css" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <script src="/docs/script.js" defer />
      </head>
      <body>
        <a className="skip" href="#content">
          Skip to the content
        </a>
        <nav aria-label="Documentation">
          <a className="brand" href="/">
            extract
          </a>
          <a href="/docs">Documentation</a>
          <a href="/docs/errors">Errors</a>
          <a href="/docs/objects">Objects</a>
          <a href="/openapi.json">OpenAPI</a>
          <a href="/status">Status</a>
          <a href="/dashboard">Dashboard</a>
          <form action="/docs/search">
            <input type="search" name="q" aria-label="Search the documentation" defaultValue={query} />
            <button type="submit">Search</button>
          </form>
        </nav>
        <main id="content">
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

interface TableProps {
  readonly head: readonly string[];
  /** Cells of each row; the first cell is unlike that of every other row. */
  readonly rows: readonly (readonly ReactNode[])[];
}

/** A table with a head. */
export function Table({ head, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div className="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={head[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PreformattedProps {
  readonly text: string;
  readonly language?: RequestSample['language'] | 'json';
}

/** Text as a program writes it, in its own lines. */
export function CodeBlock({ text, language }: PreformattedProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <pre tabIndex={0}>
      <code data-language={language}>{text}</code>
    </pre>
  );
}

/** A request for curl, JavaScript and Python; the first is open. */
export function Samples({ request, base }: { readonly request: SampleRequest; readonly base: string }) {
  return requestSamples(request, base).map(({ label, language, text }, at) => (
    <details key={label} open={at === 0}>
      <summary>{label}</summary>
      <CodeBlock text={text} language={language} />
    </details>
  ));
}

/** A name in code that leads to its page. */
export function CodeLink({ href, name }: { readonly href: string; readonly name: string }) {
  return (
    <a href={href}>
      <code>{name}</code>
    </a>
  );
}

/** The little Markdown that descriptions are written in: paragraphs, `code`, lists with dashes. */
export function Prose({ markdown }: { readonly markdown: string }) {
  const blocks = markdown.trim().split(/\n\s*\n/);
  return blocks.map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => /^\s*- /.test(line))) {
      return (
        <p key={block}>
          <InlineCode text={lines.join(' ')} />
        </p>
      );
    }
    const items = lines.map((line) => line.replace(/^\s*- /, ''));
    return (
      <ul key={block}>
        {items.map((item) => (
          <li key={item}>
            <InlineCode text={item} />
          </li>
        ))}
      </ul>
    );
  });
}

/** A state in a word. */
export function StateBadge({ state }: { readonly state: State }) {
  return <span className={`state ${state}`}>{state}</span>;
}
