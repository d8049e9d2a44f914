/** The way to older rows, and back to the newest. */
export function Pager({ first, next }: { first: string | null; next: string | null }) {
  if (first === null && next === null) return null;
  return (
    <nav className="pager" aria-label="Pages">
      {first === null ? <span /> : <a href={first}>Newest</a>}
      {next === null ? null : (
        <a href={next} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
