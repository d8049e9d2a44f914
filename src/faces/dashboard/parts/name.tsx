/** Right-to-left letters, and marks that change the direction of the following text. */
const turning =
  /[\p{Bidi_Control}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Isolates a name inside a sentence, which keeps its own direction. */
export function isolated(name: string): string {
  return turning.test(name) ? `\u2068${name}\u2069` : name;
}

/** A name that a user typed. Long words break, so that they do not push other columns out of the table. */
export function Name({ of }: { readonly of: string }) {
  return <bdi className="name">{of}</bdi>;
}

/** An email address, which wraps after its @ before anywhere else. */
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
