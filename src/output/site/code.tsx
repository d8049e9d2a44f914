import { highlighted } from './highlight.js';

interface CodeProps {
  readonly text: string;
  /** Undefined if the preceding text says it. */
  readonly label?: string | undefined;
  /** As in Markdown. */
  readonly language?: string | undefined;
  readonly tall?: boolean;
}

/** Text to copy: a command, a key, a response. The script adds the button. */
export function Code({ text, label, language = '', tall }: CodeProps) {
  return (
    <figure className={tall === true ? 'code tall' : 'code'} data-copy="">
      {label === undefined ? null : <figcaption>{label}</figcaption>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre tabIndex={0}>
        <code
          data-language={language === '' ? undefined : language}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the text
          dangerouslySetInnerHTML={{ __html: highlighted(text, language) }}
        />
      </pre>
    </figure>
  );
}

interface Sample {
  readonly label: string;
  readonly language: string;
  readonly text: string;
}

/** One request in several languages, one of which is visible. Works with CSS alone; the script remembers the choice. */
export function SampleTabs({
  name,
  samples,
}: {
  readonly name: string;
  readonly samples: readonly Sample[];
}) {
  return (
    <fieldset className="tabs">
      <legend className="unseen">Language of the sample</legend>
      {samples.map(({ label }, at) => (
        <span key={label} className="tab">
          <input
            type="radio"
            name={name}
            id={`${name}-${at}`}
            value={label}
            defaultChecked={at === 0}
            className="unseen"
          />
          <label htmlFor={`${name}-${at}`}>{label}</label>
        </span>
      ))}
      {samples.map(({ label, language, text }) => (
        <Code key={label} language={language} text={text} />
      ))}
    </fieldset>
  );
}

export function ErrorLink({ code }: { code: string }) {
  return (
    <a href={`/docs/errors/${code}`}>
      <code>{code}</code>
    </a>
  );
}
