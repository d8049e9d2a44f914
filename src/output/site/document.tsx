import type { ReactNode } from 'react';
import { version } from '../../../lib/runtime/version.js';
import { assets } from './assets.js';
import { Icon } from './icon.js';

interface DocumentProps {
  readonly title: string;
  /** For search engines. */
  readonly description?: string | undefined;
  readonly kind: 'with-menu' | 'small' | 'wide';
  readonly children: ReactNode;
}

export function Document({ title, description, kind, children }: DocumentProps) {
  const { style, script } = assets;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · extract`}</title>
        {description === undefined ? null : <meta name="description" content={description} />}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={style.address} />
        {/* Inline in the head, so that the page knows that scripts run before anything is drawn. */}
        <script src={script.address} />
      </head>
      <body className={kind}>
        <a className="skip" href="#content">
          Skip to the content
        </a>
        {children}
      </body>
    </html>
  );
}

function Brand({ href }: { readonly href: '/' | '/dashboard' }) {
  return (
    <a className="brand" href={href}>
      <Icon name="mark" />
      <span>extract</span>
    </a>
  );
}

/** The menu next to a page; on a narrow screen behind a button. */
export function MenuBar({
  home,
  children,
}: {
  readonly home: '/' | '/dashboard';
  readonly children: ReactNode;
}) {
  return (
    <header className="bar">
      <Brand href={home} />
      <button className="menu-button" type="button" aria-expanded="false" aria-controls="menu">
        Menu
      </button>
      <div className="menu" id="menu">
        {children}
      </div>
    </header>
  );
}

/** The bar above a page without a menu, with a link to the reader's own pages. */
export function TopBar({ entry }: { readonly entry?: { readonly title: string; readonly href: string } }) {
  return (
    <header className="small-bar">
      <Brand href="/" />
      <nav className="row" aria-label="Pages">
        <a href="/docs">Documentation</a>
        <a href="/status">Status</a>
        {entry === undefined ? null : <a href={entry.href}>{entry.title}</a>}
      </nav>
    </header>
  );
}

export function Footer() {
  return (
    <footer className="footer">
      <p>extract {version} · MIT licence</p>
      <nav aria-label="More">
        <a href="/docs">Documentation</a>
        <a href="/status">Status</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/llms.txt">llms.txt</a>
      </nav>
    </footer>
  );
}

/** A public page without a menu. */
export function PlainPage({
  title,
  description,
  children,
}: Pick<DocumentProps, 'title' | 'description' | 'children'>) {
  return (
    <Document title={title} description={description} kind="wide">
      <TopBar entry={{ title: 'Dashboard', href: '/dashboard' }} />
      <main id="content" tabIndex={-1}>
        <h1>{title}</h1>
        {children}
      </main>
      <Footer />
    </Document>
  );
}
