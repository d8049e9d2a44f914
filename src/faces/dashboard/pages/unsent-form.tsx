import { FileField, PostForm } from '../parts/form.js';
import { AnyLayout } from '../parts/layout.js';
import { Details, Panel } from '../parts/panel.js';
import type { UnsentForm } from '../unsent-form.js';

/** Fields that users do not fill in. */
const unseen = ['token', 'next', 'shown'];

/** Shows the submitted values; several values of a name side by side. */
function Typed({ fields }: Pick<UnsentForm, 'fields'>) {
  const filled = fields.filter(([name, value]) => value.trim() !== '' && !unseen.includes(name));
  const names = [...new Set(filled.map(([name]) => name))];
  return (
    <Details
      of={names.map((name) => {
        const text = filled.flatMap(([one, value]) => (one === name ? [value] : [])).join(', ');
        return [
          name.replaceAll('_', ' '),
          // Scrollable content must be reachable by keyboard.
          <bdi
            className="typed"
            key={name}
            tabIndex={text.length > 200 || text.includes('\n') ? 0 : undefined}
          >
            {text}
          </bdi>,
        ];
      })}
    />
  );
}

/** A form submitted from an expired page, with everything that the user typed. */
export function UnsentFormPage({
  form: { action, fields, files },
  signIn,
}: {
  readonly form: UnsentForm;
  /** The sign-in page; null if the user is signed in. */
  readonly signIn: string | null;
}) {
  return (
    <AnyLayout
      title={signIn === null ? 'Submit this form now?' : 'You are signed out'}
      lead={
        signIn === null
          ? 'Its page has expired, so it was not submitted and nothing has changed. Your input is below.'
          : 'Your session has ended, so the form was not submitted and nothing has changed. Your input is below.'
      }
    >
      {signIn === null ? null : (
        <p>
          <a href={signIn} target="_blank" rel="noopener">
            Sign in in another tab
          </a>
          , then come back to this one and submit the form.
        </p>
      )}
      <Panel title="Your form">
        <Typed fields={fields} />
        <PostForm action={action} encType={files.length === 0 ? undefined : 'multipart/form-data'}>
          {fields.map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          {files.map(([name, file]) => (
            <FileField key={name} name={name} label="File" hint={`Choose ${file} again.`} />
          ))}
          <button type="submit">Send the form</button>
        </PostForm>
      </Panel>
    </AnyLayout>
  );
}
