import type { ReactNode } from 'react';
import { Callout } from '../../../output/site/status.js';
import { ActionButton, QuietLink } from './form.js';
import { Layout, type PageLink, type PageProps } from './layout.js';

interface BelowProps extends Omit<PageProps, 'actions' | 'above'> {
  readonly above: readonly [...PageLink[], PageLink];
}

/** Asks before an action that cannot be undone. The other answer leads to the page above. */
export function ConfirmLayout({
  action,
  yes,
  no,
  ...page
}: Omit<BelowProps, 'children'> & { readonly action: string; readonly yes: string; readonly no: string }) {
  return (
    <Layout {...page}>
      <div className="row">
        <ActionButton kind="danger" action={action}>
          {yes}
        </ActionButton>
        <QuietLink href={page.above.at(-1)?.href}>{no}</QuietLink>
      </div>
    </Layout>
  );
}

/** The only page that shows a secret: the response to the form that created it. The secret is not stored. */
export function SecretLayout({ note, children, ...page }: BelowProps & { readonly note?: ReactNode }) {
  const back = page.above.at(-1);
  return (
    <Layout {...page}>
      <Callout kind="note">
        <p>
          <b>It is only shown once.</b> Copy it now; we do not store it.{note}
        </p>
      </Callout>
      {children}
      <p>
        <a href={back?.href}>Back to {back?.title}</a>
      </p>
    </Layout>
  );
}
