/** Text to be copied, as it stands: a command, a key, an answer. The script adds the button. */
export function Code({ text, label, tall }: { text: string; label: string; tall?: boolean }) {
  return (
    <figure className={tall === true ? 'code tall' : 'code'} data-copy="">
      <figcaption>{label}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** A code of the catalogue, leading to the page that explains it. */
export function ErrorLink({ code }: { code: string }) {
  return (
    <a href={`/docs/errors/${code}`}>
      <code>{code}</code>
    </a>
  );
}
