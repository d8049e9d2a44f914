/** Ways to take things out of pages of pronetwork, for tests. */

/** The page without every element that begins with one of these tags, as far as its first end tag. */
export function withoutElements(html: string, ...tags: readonly RegExp[]): string {
  return tags.reduce((text, tag) => {
    const name = /^<([a-z0-9]+)/.exec(tag.source)?.[1] as string;
    return text.replace(new RegExp(`${tag.source}[\\s\\S]*?</${name}>`, 'g'), '');
  }, html);
}

/** The page without an attribute of every tag that matches. */
export function withoutAttribute(html: string, tag: RegExp, attribute: string): string {
  return html.replace(new RegExp(`${tag.source}[^>]*>`, 'g'), (element) =>
    element.replace(new RegExp(`\\s${attribute}="[^"]*"`), ''),
  );
}

/** The page with the things of its JSON-LD changed. */
export function changedLd(html: string, change: (thing: Record<string, unknown>) => void): string {
  return html.replace(
    /(<script type="application\/ld\+json">)([\s\S]*?)(<\/script>)/g,
    (_, open: string, json: string, close: string) => {
      const root = JSON.parse(json) as Record<string, unknown>;
      const graph = root['@graph'];
      for (const thing of Array.isArray(graph) ? graph : [root]) change(thing as Record<string, unknown>);
      return open + JSON.stringify(root) + close;
    },
  );
}

/** The page with keys taken out of every thing of its JSON-LD. */
export function withoutLd(html: string, ...keys: readonly string[]): string {
  return changedLd(html, (thing) => {
    for (const key of keys) delete thing[key];
  });
}
