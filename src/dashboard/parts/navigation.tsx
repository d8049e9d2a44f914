import { Icon, type IconName } from './icon.js';

interface Entry {
  readonly title: string;
  readonly href: string;
  readonly icon: IconName;
}

/** What the navigation leads to, in order. */
const entries: readonly Entry[] = [
  { title: 'Overview', href: '/dashboard', icon: 'overview' },
  { title: 'API keys', href: '/dashboard/keys', icon: 'keys' },
  { title: 'Requests', href: '/dashboard/requests', icon: 'requests' },
  { title: 'Usage', href: '/dashboard/usage', icon: 'usage' },
  { title: 'Batch jobs', href: '/dashboard/jobs', icon: 'jobs' },
  { title: 'Playground', href: '/dashboard/playground', icon: 'playground' },
  { title: 'Packs', href: '/dashboard/packs', icon: 'packs' },
  { title: 'Settings', href: '/dashboard/settings', icon: 'settings' },
  { title: 'Documentation', href: '/docs', icon: 'docs' },
];

function isHere(href: string, path: string): boolean {
  if (href === '/dashboard') return path === href || path === `${href}/`;
  return path === href || path.startsWith(`${href}/`);
}

/** The way to every part of the dashboard. */
export function Navigation({ path }: { path: string }) {
  return (
    <nav className="navigation" aria-label="Dashboard">
      <ul>
        {entries.map(({ title, href, icon }) => (
          <li key={href}>
            <a href={href} aria-current={isHere(href, path) ? 'page' : undefined}>
              <Icon name={icon} />
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
