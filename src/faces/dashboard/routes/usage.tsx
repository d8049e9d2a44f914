import { stringify } from 'csv-stringify/sync';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type DashboardContext, viewerOf } from '../context.js';
import { dayAfter, dayOf, startOfDay } from '../days.js';
import { UsagePage } from '../pages/usage.js';
import { type Spend, spendOf } from '../spend.js';

/** Formats rows as CSV. A cell that a spreadsheet would take for a formula becomes plain text. */
export function csvText(columns: readonly string[], rows: readonly object[]): string {
  return stringify([...rows], {
    columns: [...columns],
    header: true,
    escape_formulas: true,
    record_delimiter: '\r\n',
  });
}

/** Days shown by default, and at most. */
const defaultDays = 30;
const maxDays = 366;

function dayFrom(value: unknown): string | undefined {
  return typeof value === 'string' && startOfDay(value) !== undefined ? value : undefined;
}

/**
 * Returns the range of days in an address, up to today. A range that is too long is cut to its end; an invalid one
 * becomes the last thirty days.
 */
function rangeOf(query: unknown, today: string): { readonly first: string; readonly last: string } {
  const { from, to } = query as { from?: unknown; to?: unknown };
  const lastDay = dayFrom(to) ?? today;
  const last = lastDay < today ? lastDay : today;
  const first = dayFrom(from);
  if (first === undefined || first > last) return { first: dayAfter(last, 1 - defaultDays), last };
  const earliest = dayAfter(last, 1 - maxDays);
  return { first: first > earliest ? first : earliest, last };
}

export function addUsageRoutes(app: FastifyInstance, context: DashboardContext): void {
  const { services, usage } = context;

  async function readSpend(
    request: FastifyRequest,
  ): Promise<{ readonly spend: Spend; readonly today: string }> {
    const today = dayOf(services.clock.now());
    const { first, last } = rangeOf(request.query, today);
    return { today, spend: await spendOf(usage, viewerOf(request).account.id, first, last) };
  }

  app.get('/usage', async (request, reply) => reply.sendPage(<UsagePage {...(await readSpend(request))} />));

  app.get('/usage.csv', async (request, reply) => {
    const { rows, first, last } = (await readSpend(request)).spend;
    return reply
      .header('Content-Disposition', `attachment; filename="usage-${first}-${last}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(csvText(['day', 'endpoint', 'calls', 'failed', 'credits'], rows));
  });
}
