import { Icon, type IconName } from '../../../output/site/icon.js';

export interface NavigationEntry {
  readonly title: string;
  readonly href: string;
  readonly icon: IconName;
}

interface NavigationProps {
  readonly label: string;
  /** In order; the first is the parent of all others and matches only its exact path. */
  readonly entries: readonly NavigationEntry[];
  readonly path: string;
}

export function Navigation({ label, entries, path }: NavigationProps) {
  const isHere = (href: string, at: number) =>
    path === href || (at === 0 ? path === `${href}/` : path.startsWith(`${href}/`));
  return (
    <nav className="navigation" aria-label={label}>
      <ul>
        {entries.map(({ title, href, icon }, at) => (
          <li key={href}>
            <a href={href} aria-current={isHere(href, at) ? 'page' : undefined}>
              <Icon name={icon} />
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
