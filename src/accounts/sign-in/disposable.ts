/**
 * True for an address of a disposable mail service, or of a domain below one. The list of such services is loaded
 * with the first sign-in: it is the largest thing of all that a server loads.
 */
export async function isDisposable(email: string, allowed: readonly string[]): Promise<boolean> {
  const { default: mailchecker } = await import('mailchecker');
  const listed = mailchecker.blacklist();
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  const domains = labels.map((_, at) => labels.slice(at).join('.'));
  return domains.some((domain) => listed.has(domain)) && !domains.some((domain) => allowed.includes(domain));
}
