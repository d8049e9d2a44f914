import { maxEmailLength } from '../../accounts/email-address.js';
import type { Frame } from '../context.js';
import { FormToken, TextField } from '../parts/form.js';
import { SmallLayout } from '../parts/layout.js';

interface AskProps {
  readonly frame: Frame;
  readonly next: string;
  readonly email?: string | undefined;
  readonly problem?: string | undefined;
}

function AskForm({ frame, next, email, problem }: AskProps) {
  return (
    <form className="stack" method="post" action="/sign-in">
      <FormToken frame={frame} />
      <input type="hidden" name="next" value={next} />
      <TextField
        name="email"
        label="E-mail address"
        value={email}
        problem={problem}
        input={{ type: 'email', required: true, autoComplete: 'email', maxLength: maxEmailLength }}
      />
      <button type="submit">Send me a link</button>
    </form>
  );
}

/** Asks for an address to send a link to. */
export function SignInPage(props: AskProps) {
  return (
    <SmallLayout
      frame={props.frame}
      title="Sign in"
      lead="We mail you a link that signs you in. There is no password, and your first sign-in makes your account."
    >
      <AskForm {...props} />
    </SmallLayout>
  );
}

/** The same for everybody: whether there is an account, nobody learns here. */
export function LinkSentPage({ frame }: { frame: Frame }) {
  return (
    <SmallLayout frame={frame} title="Check your mail" lead="A link is on its way to the address you gave.">
      <ul className="plain-list">
        <li>Open it in this browser: it works nowhere else.</li>
        <li>It works once, for fifteen minutes.</li>
        <li>
          Nothing came? Look among the unwanted mail, then <a href="/sign-in">ask for another link</a>.
        </li>
      </ul>
    </SmallLayout>
  );
}

/** A link that cannot be used: too late, a second time, or in another browser. */
export function LinkRefusedPage({ frame }: { frame: Frame }) {
  return (
    <SmallLayout
      frame={frame}
      title="This link does not work here"
      lead="A link works once, for fifteen minutes, in the browser that asked for it. Open it there, or have a new one sent to this browser."
    >
      <AskForm frame={frame} next="/dashboard" />
    </SmallLayout>
  );
}
