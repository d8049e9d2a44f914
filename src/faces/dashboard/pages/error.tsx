import { AnyLayout } from '../parts/layout.js';
import { Details } from '../parts/panel.js';

function ToOverview() {
  return (
    <p>
      <a href="/dashboard">Back to the overview</a>
    </p>
  );
}

/** Shows an error: its code with a link, and what to quote to support. */
export function ErrorPage({
  code,
  message,
  requestId,
}: {
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}) {
  return (
    <AnyLayout title="Something went wrong" lead={message}>
      <Details
        of={[
          [
            'Code',
            <a key="code" href={`/docs/errors/${code}`}>
              <code>{code}</code>
            </a>,
          ],
          ['Request', <code key="request">{requestId}</code>],
        ]}
      />
      <ToOverview />
    </AnyLayout>
  );
}

/** The page does not exist, or belongs to another account. */
export function NotFoundPage() {
  return (
    <AnyLayout title="Page not found" lead="Check the URL, or start from the overview.">
      <ToOverview />
    </AnyLayout>
  );
}

/** A form without this session's token. */
export function ForeignFormPage({
  page,
  hasCookies,
}: {
  /** The page that the form is on. */
  readonly page: string;
  /** False for a browser that does not store our cookies, whose forms can never be accepted. */
  readonly hasCookies: boolean;
}) {
  return (
    <AnyLayout
      title="This form has expired"
      lead="It is too old, or was not submitted from a page of this session. Nothing has changed."
    >
      <p>
        {hasCookies ? null : 'Your browser sent no cookie of this site, which forms need: allow cookies. '}
        <a href={page}>Open the page again</a> and resubmit the form.
      </p>
    </AnyLayout>
  );
}
