/** Letters that are written from right to left, and marks that turn the direction of what follows. */
const turning =
  /[\p{Bidi_Control}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name inside a sentence, which keeps its own direction whatever that of the name is. */
export function isolated(name: string): string {
  return turning.test(name) ? `\u2068${name}\u2069` : name;
}

/** A name that somebody typed: one long word breaks, where it would push the other columns out of a table. */
export function Name({ of }: { readonly of: string }) {
  return <bdi className="name">{of}</bdi>;
}

/** An e-mail address, which breaks behind its @ before it breaks elsewhere. */
export function Address({ of }: { readonly of: string }) {
  const at = of.lastIndexOf('@') + 1;
  return (
    <bdi className="name">
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </bdi>
  );
}
