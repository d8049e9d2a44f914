import { maxEmailLength } from '../../../service/accounts/email-address.js';
import { signInPath } from '../../../service/accounts/sign-in/sign-in.js';
import type { FormState } from '../forms.js';
import { PostForm, TextField } from '../parts/form.js';
import { SmallLayout } from '../parts/layout.js';

interface AskProps extends FormState {
  readonly next: string;
}

function AskForm({ next, ...form }: AskProps) {
  return (
    <PostForm action="/sign-in" {...form}>
      <input type="hidden" name="next" value={next} />
      <TextField
        name="email"
        label="E-mail address"
        input={{ type: 'email', required: true, autoComplete: 'email', maxLength: maxEmailLength }}
      />
      <button type="submit">Send me a link</button>
    </PostForm>
  );
}

/** Asks for an address to send a sign-in link to. */
export function SignInPage(props: AskProps) {
  return (
    <SmallLayout
      title="Sign in"
      lead="We e-mail you a link and a code to sign in with. There is no password; your first sign-in creates your account."
    >
      <AskForm {...props} />
    </SmallLayout>
  );
}

interface SentProps {
  /** The problem with the code. */
  readonly problem?: string | undefined;
  /** Where emails are stored, on a server that sends none. */
  readonly mailFolder?: string | undefined;
}

/** The same for every address, so that it does not reveal whether there is an account. */
export function LinkSentPage({ problem, mailFolder }: SentProps) {
  return (
    <SmallLayout
      title={mailFolder === undefined ? 'Check your e-mail' : 'Your link is on this machine'}
      lead={
        mailFolder === undefined
          ? 'We have sent a link and a code to your address. Open the link in any browser, or enter the code here.'
          : 'This server has no mail server. The e-mail with the link and the code is the newest file in the folder below, and the link is in the server’s log.'
      }
    >
      {mailFolder === undefined ? null : (
        <p>
          <code>{mailFolder}</code>
        </p>
      )}
      <PostForm action="/sign-in/code" problems={problem === undefined ? {} : { code: problem }}>
        <TextField
          name="code"
          label="Code"
          hint="Six digits."
          input={{ required: true, inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 12 }}
        />
        <button type="submit">Sign in</button>
      </PostForm>
      <ul className="plain-list">
        <li>The link and the code work once, for fifteen minutes. Earlier links keep working.</li>
        <li>
          {mailFolder === undefined ? 'No e-mail? Check your spam folder, then ' : 'Not there? '}
          <a href="/sign-in">{mailFolder === undefined ? 'request another e-mail' : 'Send it again'}</a>.
        </li>
      </ul>
    </SmallLayout>
  );
}

/** The page behind a sign-in link. Its button signs in, so that opening the link does not use it up. */
export function ConfirmPage({ token, email }: { token: string; email: string }) {
  return (
    <SmallLayout title="Sign in" lead={`You are signing in as ${email}.`}>
      <PostForm action={signInPath}>
        <input type="hidden" name="token" value={token} />
        <button type="submit">Sign in</button>
      </PostForm>
      <p>Not your address? Close this page: the link is for someone else.</p>
    </SmallLayout>
  );
}

/** A link that is expired or already used. */
export function LinkRefusedPage(props: Pick<AskProps, 'next'>) {
  return (
    <SmallLayout
      title="This link does not work"
      lead="A link works once, for fifteen minutes. This one has been used, has expired, or is incomplete. Request a new one."
    >
      <AskForm {...props} />
    </SmallLayout>
  );
}
