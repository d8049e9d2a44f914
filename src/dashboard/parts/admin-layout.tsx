import type { Frame } from '../context.js';
import { FormToken } from './form.js';
import { Icon, type IconName } from './icon.js';
import { Brand, Document, Head, type PageProps } from './layout.js';
import { Notice } from './notice.js';

const entries: readonly { readonly title: string; readonly href: string; readonly icon: IconName }[] = [
  { title: 'Health', href: '/admin', icon: 'usage' },
  { title: 'Accounts', href: '/admin/accounts', icon: 'keys' },
  { title: 'Jobs', href: '/admin/jobs', icon: 'jobs' },
];

function Menu({ frame }: { frame: Frame }) {
  const isHere = (href: string) =>
    href === '/admin' ? frame.path === href : frame.path === href || frame.path.startsWith(`${href}/`);
  return (
    <div className="menu" id="menu">
      <nav className="navigation" aria-label="Administration">
        <ul>
          {entries.map(({ title, href, icon }) => (
            <li key={href}>
              <a href={href} aria-current={isHere(href) ? 'page' : undefined}>
                <Icon name={icon} />
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="account">
        <p className="label">You are the operator</p>
        <form method="post" action="/admin/sign-out">
          <FormToken frame={frame} />
          <button className="quiet" type="submit">
            Sign out
          </button>
        </form>
      </div>
    </div>
  );
}

/** A page for the operator of the server. */
export function AdminLayout({ frame, title, lead, actions, above, children }: PageProps) {
  return (
    <Document frame={frame} title={`${title} (admin)`} kind="signed-in">
      <header className="bar">
        <Brand />
        <button className="menu-button" type="button" aria-expanded="false" aria-controls="menu">
          Menu
        </button>
        <Menu frame={frame} />
      </header>
      <main id="content" tabIndex={-1}>
        <Head title={title} lead={lead} actions={actions} {...(above && { above })} />
        {frame.notice === null ? null : <Notice kind={frame.notice.kind}>{frame.notice.text}</Notice>}
        {children}
      </main>
    </Document>
  );
}
