import { useFrame } from '../frame.js';
import { ActionButton } from './form.js';
import { MenuLayout, type PageProps } from './layout.js';
import { Navigation, type NavigationEntry } from './navigation.js';

const entries: readonly NavigationEntry[] = [
  { title: 'Health', href: '/admin', icon: 'usage' },
  { title: 'Accounts', href: '/admin/accounts', icon: 'keys' },
  { title: 'Jobs', href: '/admin/jobs', icon: 'jobs' },
  { title: 'Suppressed', href: '/admin/suppressions', icon: 'requests' },
  { title: 'Platforms', href: '/admin/platforms', icon: 'status' },
];

export function AdminLayout(props: PageProps) {
  const menu = (
    <>
      <Navigation label="Administration" entries={entries} path={useFrame().path} />
      <div className="account">
        <p className="label">You are the operator</p>
        <ActionButton kind="quiet" action="/admin/sign-out">
          Sign out
        </ActionButton>
      </div>
    </>
  );
  return <MenuLayout {...props} mark=" (admin)" menu={menu} />;
}
