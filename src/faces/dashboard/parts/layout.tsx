import type { ReactNode } from 'react';
import { Document, Footer, MenuBar, TopBar } from '../../../output/site/document.js';
import { Callout } from '../../../output/site/status.js';
import { packsPath } from '../../../service/accounts/packs/payments.js';
import { useFrame } from '../frame.js';
import { Credits } from './amounts.js';
import { ActionButton } from './form.js';
import { Navigation, type NavigationEntry } from './navigation.js';

function Account() {
  const { viewer, path } = useFrame();
  if (viewer === null) return null;
  const { email, credits } = viewer.account;
  return (
    <div className="account">
      {path === '/dashboard' ? null : (
        <p className="balance">
          <span className="label">Balance</span> <Credits amount={credits} />
        </p>
      )}
      <p className="email" title={email}>
        {email}
      </p>
      <ActionButton kind="quiet" action="/dashboard/sign-out">
        Sign out
      </ActionButton>
    </div>
  );
}

export interface PageLink {
  readonly title: string;
  readonly href: string;
}

export const keysPage = { title: 'API keys', href: '/dashboard/keys' };
export const requestsPage = { title: 'Requests', href: '/dashboard/requests' };
export const jobsPage = { title: 'Batch jobs', href: '/dashboard/jobs' };
export const schedulesPage = { title: 'Schedules', href: '/dashboard/schedules' };
export const packsPage = { title: 'Packs', href: packsPath };
export const settingsPage = { title: 'Settings', href: '/dashboard/settings' };

export interface PageProps {
  readonly title: string;
  /** A sentence below the title. */
  readonly lead?: ReactNode;
  /** Buttons and links next to the title. */
  readonly actions?: ReactNode;
  /** Parent pages, outermost first. */
  readonly above?: readonly PageLink[];
  readonly children: ReactNode;
}

function Head({ title, lead, actions, above = [] }: Omit<PageProps, 'children'>) {
  return (
    <header className="page-head">
      <div>
        {above.length === 0 ? null : (
          <nav className="above" aria-label="Pages above">
            {above.map((page) => (
              <a key={page.href} href={page.href}>
                {page.title}
              </a>
            ))}
          </nav>
        )}
        <h1>{title}</h1>
        {lead === undefined ? null : <p className="lead">{lead}</p>}
      </div>
      {actions === undefined ? null : <div className="actions">{actions}</div>}
    </header>
  );
}

function Main({ children, ...head }: PageProps) {
  const { banner } = useFrame();
  return (
    <main id="content" tabIndex={-1}>
      <Head {...head} />
      {banner === null ? null : <Callout kind={banner.kind}>{banner.text}</Callout>}
      {children}
    </main>
  );
}

/** A page with a menu next to its content, for signed-in users and operators. */
export function MenuLayout({
  mark = '',
  menu,
  ...page
}: PageProps & { readonly mark?: string; readonly menu: ReactNode }) {
  return (
    <Document title={`${page.title}${mark}`} kind="with-menu">
      <MenuBar home="/dashboard">{menu}</MenuBar>
      <Main {...page} />
    </Document>
  );
}

const entries: readonly NavigationEntry[] = [
  { title: 'Overview', href: '/dashboard', icon: 'overview' },
  { ...keysPage, icon: 'keys' },
  { ...requestsPage, icon: 'requests' },
  { title: 'Usage', href: '/dashboard/usage', icon: 'usage' },
  { ...jobsPage, icon: 'jobs' },
  { title: 'Playground', href: '/dashboard/playground', icon: 'playground' },
  { ...packsPage, icon: 'packs' },
  { ...settingsPage, icon: 'settings' },
  { title: 'Documentation', href: '/docs', icon: 'docs' },
  { title: 'Status', href: '/status', icon: 'status' },
];

/** A page for a signed-in user: navigation, title, content. */
export function Layout(props: PageProps) {
  const { sells, path } = useFrame();
  const menu = (
    <>
      <Navigation
        label="Dashboard"
        entries={entries.filter(({ href }) => sells || href !== packsPath)}
        path={props.above?.[0]?.href ?? path}
      />
      <Account />
    </>
  );
  return <MenuLayout {...props} menu={menu} />;
}

/** A page with a single purpose, for visitors without a session. */
export function SmallLayout(page: Omit<PageProps, 'actions' | 'above'>) {
  return (
    <Document title={page.title} kind="small">
      <TopBar />
      <Main {...page} />
      <Footer />
    </Document>
  );
}

/** A page with several parts, for visitors without a session. */
export function WideLayout({
  description,
  ...page
}: Omit<PageProps, 'above'> & { readonly description: string }) {
  return (
    <Document title={page.title} description={description} kind="wide">
      <TopBar entry={{ title: 'Sign in', href: '/sign-in' }} />
      <Main {...page} />
      <Footer />
    </Document>
  );
}

/** The layout for a visitor or a signed-in user. */
export function AnyLayout(props: Omit<PageProps, 'actions' | 'above'>) {
  return useFrame().viewer === null ? <SmallLayout {...props} /> : <Layout {...props} />;
}
