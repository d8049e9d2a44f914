import { maxEmailLength } from '../../accounts/email-address.js';
import { signInPath } from '../../accounts/sign-in/sign-in.js';
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
      lead="We mail you a link and a code that sign you in. There is no password, and your first sign-in makes your account."
    >
      <AskForm {...props} />
    </SmallLayout>
  );
}

interface SentProps {
  readonly frame: Frame;
  /** What is wrong with the code that was typed. */
  readonly problem?: string | undefined;
}

/** The same for everybody: whether there is an account, nobody learns here. */
export function LinkSentPage({ frame, problem }: SentProps) {
  return (
    <SmallLayout
      frame={frame}
      title="Check your mail"
      lead="A mail is on its way to the address you gave, with a link and a code. Open the link in any browser, or type the code here."
    >
      <form className="stack" method="post" action="/sign-in/code">
        <FormToken frame={frame} />
        <TextField
          name="code"
          label="Code"
          hint="Six digits."
          problem={problem}
          input={{ required: true, inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 12 }}
        />
        <button type="submit">Sign in</button>
      </form>
      <ul className="plain-list">
        <li>Link and code work once, for fifteen minutes. Earlier links keep working.</li>
        <li>
          Nothing came? Look in your spam folder, then <a href="/sign-in">ask for another mail</a>.
        </li>
      </ul>
    </SmallLayout>
  );
}

/** What a link leads to: the button signs in, so that opening the link uses nothing up. */
export function ConfirmPage({ frame, token, email }: { frame: Frame; token: string; email: string }) {
  return (
    <SmallLayout frame={frame} title="Sign in" lead={`You sign in as ${email}.`}>
      <form className="stack" method="post" action={signInPath}>
        <FormToken frame={frame} />
        <input type="hidden" name="token" value={token} />
        <button type="submit">Sign in</button>
      </form>
      <p>Not your address? Close this page: the link was meant for somebody else.</p>
    </SmallLayout>
  );
}

/** A link that cannot be used: too late, or a second time. */
export function LinkRefusedPage({ frame }: { frame: Frame }) {
  return (
    <SmallLayout
      frame={frame}
      title="This link does not work"
      lead="A link works once, for fifteen minutes. This one was used, is too old, or was not copied whole: ask for another one."
    >
      <AskForm frame={frame} next="/dashboard" />
    </SmallLayout>
  );
}
