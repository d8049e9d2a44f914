import type { Ledger } from '../../../lib/ledger/ledger.js';
import type { Span } from '../../../lib/runtime/span.js';
import type { OpenServices } from '../../../lib/services.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { wrapFetches } from '../../../lib/web/wrap-fetches.js';

function tracedLedger(ledger: Ledger, span: Span): Ledger {
  const step = <T>(kind: string, id: string, work: () => Promise<T>) =>
    span('extract.settle', { 'extract.step': kind, 'extract.request_id': id }, work);
  return {
    charge: (charge) => step('charge', charge.id, () => ledger.charge(charge)),
    pay: (charge) => step('pay', charge.id, () => ledger.pay(charge)),
    settle: (id, ending) => step('settle', id, () => ledger.settle(id, ending)),
    refund: (id) => step('refund', id, () => ledger.refund(id)),
    balance: (account) => ledger.balance(account),
    grant: (grant) => ledger.grant(grant),
    usage: (account, query) => ledger.usage(account, query),
    checkWritable: () => ledger.checkWritable(),
    close: () => ledger.close(),
  };
}

/** Wraps a source in a span per page. The span names the host, never the address of the page. */
function tracedPages(source: PageSource, span: Span): PageSource {
  return wrapFetches(source, (fetch, { site }) => (request) => {
    const { hostname } = new URL(request.url);
    const attributes = { 'extract.platform': site.platform, 'server.address': hostname };
    return span('extract.page', attributes, () => fetch(request));
  });
}

/** Wraps services in a span for each call, page and ledger entry. */
export function tracedServices(services: OpenServices, span: Span): OpenServices {
  const ledger = tracedLedger(services.ledger, span);
  return {
    ...services,
    ledger,
    span,
    async pages() {
      return tracedPages(await services.pages(), span);
    },
  };
}
