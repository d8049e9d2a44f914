const home = '/dashboard';

/**
 * A path of the dashboard to go on to, from text that anybody may have written. What leads elsewhere, however it is
 * spelled, becomes the first page.
 */
export function nextPath(text: unknown): string {
  if (typeof text !== 'string' || text.length > 1000 || !text.startsWith(home)) return home;
  const base = 'http://dashboard.invalid';
  if (!URL.canParse(text, base)) return home;
  const { origin, pathname, search } = new URL(text, base);
  const inside = pathname === home || pathname.startsWith(`${home}/`);
  return origin === base && inside ? `${pathname}${search}` : home;
}
