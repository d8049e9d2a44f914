import { after } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { systemClock } from '../../../lib/clock.js';
import { SmtpMailer } from '../../../src/accounts/mail/smtp-mailer.js';
import { type MailServer, mailServer } from '../../support/mail-server.js';
import { type DashboardServer, dashboardServer } from '../support/server.js';
import { freePort, launch } from './chromium.js';

export interface Stage {
  readonly server: DashboardServer;
  /** Where the mails of the server arrive, over SMTP. */
  readonly mails: MailServer;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Address of the server. */
  readonly home: string;
  /** What went wrong in pages: errors of scripts, things that the policy forbade. */
  readonly faults: string[];
}

/** A page's longest wait for anything, in milliseconds. */
const patience = 20_000;

/** The server on a port of its own with a mail server beside it, and a browser before it; all gone after the file's tests. */
export async function openStage(): Promise<Stage> {
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const mails = await mailServer({ after });
  const smtp = { host: '127.0.0.1', port: mails.port, secure: false, login: undefined };
  const from = { name: 'Extract', address: 'no-reply@example.com' };
  const server = await dashboardServer({
    publicAddress: home,
    carrier: new SmtpMailer({ server: smtp, from, clock: systemClock }),
  });
  await server.app.listen({ port, host: '127.0.0.1' });
  const browser = await launch();
  // Registered last and so run last: hooks run in the order they came.
  after(() => browser.close());
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (line) => {
    // That a form was refused is no fault of the page.
    if (line.type() === 'error' && !/status of 4\d\d/.test(line.text())) faults.push(line.text());
  });
  return { server, mails, browser, context, page, home, faults };
}
