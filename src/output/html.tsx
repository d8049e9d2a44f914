import { Fragment, type ReactElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

export function renderPage(page: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

interface StandalonePage {
  readonly title: string;
  readonly style: string;
  readonly children: ReactNode;
}

/** Renders a page as one self-contained file. */
export function renderStandalonePage({ title, style, children }: StandalonePage): string {
  return renderPage(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta httpEquiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>{title}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the style sheet is part of this program */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>,
  );
}

/** Renders text with the parts between backticks as code. */
export function InlineCode({ text }: { readonly text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
    return index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>;
  });
}
