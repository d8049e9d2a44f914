import { Fragment, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** Renders a whole page. */
export function renderPage(page: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

/** A text in which the parts between backticks are code. */
export function InlineCode({ text }: { readonly text: string }) {
  return text.split(/`([^`]+)`/).map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
    return index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>;
  });
}
