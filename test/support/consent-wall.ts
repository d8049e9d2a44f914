import type { SiteAnswer, SiteRequest } from './browser-site.js';

/** The cookie that tells a site that a visitor has passed its wall. */
export const passedCookie = 'passed=yes; Path=/';

const consentForms = (next: string, formOfNo: string) => `<!doctype html><title>Before you continue</title>
<form action="https://consent.google.com/save" method="post"><input type="hidden" name="continue" value="${next}">
<input type="hidden" name="set_eom" value="false"><button>Accept all</button></form>${formOfNo}`;

/** The platform's consent page: two forms, one of which declines. */
export function consent({ host, path: at, query, body }: SiteRequest, hasNo: boolean): SiteAnswer {
  if (host === 'consent.google.com' && at === '/save') {
    const form = new URLSearchParams(body);
    const location = form.get('continue') ?? '';
    if (form.get('set_eom') !== 'true') return { status: 302, headers: { location } };
    return { status: 302, headers: { location, 'set-cookie': `${passedCookie}; Domain=google.com; Secure` } };
  }
  if (host === 'consent.google.com') {
    const next = (query.get('continue') ?? '').replaceAll('&', '&amp;');
    const no = `<form action="https://consent.google.com/save" method="post"><input type="hidden" name="continue" value="${next}">
<input type="hidden" name="set_eom" value="true"><button>Reject all</button></form>`;
    return { body: consentForms(next, hasNo ? no : '') };
  }
  const here = `https://${host}${at}${query.size > 0 ? `?${query}` : ''}`;
  return {
    status: 302,
    headers: { location: `https://consent.google.com/ml?continue=${encodeURIComponent(here)}` },
  };
}
