/** Right-to-left letters, and marks that change the direction of the following text. */
const turning =
  /[\p{Bidi_Control}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Characters of a name that fit into any column. */
const shortName = 8;

/** Isolates a name inside a sentence, which keeps its own direction. */
export function isolated(name: string): string {
  return turning.test(name) ? `\u2068${name}\u2069` : name;
}

/** A name that a user typed. In a table, a long one is cut and has a tooltip. */
export function Name({ of }: { readonly of: string }) {
  return (
    <bdi className="name" title={of.length > shortName ? of : undefined}>
      {of}
    </bdi>
  );
}

/** The end of a long URL, which stays visible. */
const urlEnd = 16;
const shortUrl = 48;

/** A URL that is cut in the middle if it is long. Selecting it copies all of it. */
export function ShortUrl({ url }: { readonly url: string }) {
  if (url.length <= shortUrl) return url;
  return (
    <span className="address" title={url}>
      <span>{url.slice(0, -urlEnd)}</span>
      <span>{url.slice(-urlEnd)}</span>
    </span>
  );
}
