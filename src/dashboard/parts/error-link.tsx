/** A code of the catalogue, leading to the page that explains it. */
export function ErrorLink({ code }: { code: string }) {
  return (
    <a href={`/docs/errors/${code}`}>
      <code>{code}</code>
    </a>
  );
}
