import type { Frame } from '../context.js';
import { Details } from '../parts/details.js';
import { AnyLayout } from '../parts/layout.js';

/** Something went wrong: its code, where that is explained, and what to name when asking. */
export function ErrorPage({
  frame,
  code,
  message,
  requestId,
}: {
  readonly frame: Frame;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}) {
  return (
    <AnyLayout frame={frame} title="That did not work" lead={message}>
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
      <p>
        <a href="/dashboard">Back to the overview</a>
      </p>
    </AnyLayout>
  );
}

/** There is nothing here, or nothing of this account's. */
export function NotFoundPage({ frame }: { frame: Frame }) {
  return (
    <AnyLayout
      frame={frame}
      title="There is no such page"
      lead="Check the address, or start from the overview."
    >
      <p>
        <a href="/dashboard">Back to the overview</a>
      </p>
    </AnyLayout>
  );
}

/** A form without this session's token. */
export function ForeignFormPage({ frame }: { frame: Frame }) {
  return (
    <AnyLayout
      frame={frame}
      title="This form cannot be taken"
      lead="It is too old, or it was not sent from a page of this session. Nothing was changed."
    >
      <p>
        <a href="/dashboard">Open the page anew</a> and send the form again.
      </p>
    </AnyLayout>
  );
}
