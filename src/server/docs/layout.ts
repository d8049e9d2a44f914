import { type Html, html } from './html.js';

/** A whole page around its content. */
export function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · extract</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Documentation"><a class="brand" href="/">extract</a><a href="/docs">Documentation</a><a href="/docs/errors">Errors</a><a href="/docs/objects">Objects</a><a href="/openapi.json">OpenAPI</a></nav>
<main id="content">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}

/** A table with a head. */
export function table(head: readonly string[], rows: readonly (readonly (Html | string | number)[])[]): Html {
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

/** A value as readable JSON. */
export function json(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}
