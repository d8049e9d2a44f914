import { after } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { SmtpMailer } from '../../../../src/service/accounts/mail/smtp-mailer.js';
import { freePort } from '../../../support/free-port.js';
import { type MailServer, mailServer } from '../../../support/mail-server.js';
import { type DashboardServer, dashboardServer } from '../support/server.js';
import { openChromium } from './open-chromium.js';

export interface Stage {
  readonly server: DashboardServer;
  /** Receives the server's mails over SMTP. */
  readonly mails: MailServer;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Address of the server. */
  readonly home: string;
  /** What pages complained of: errors of scripts, things that the policy forbade. */
  readonly faults: string[];
}

/** Starts the server on its own port, with a mail server and a browser. All close after the file's tests. */
export async function openStage(): Promise<Stage> {
  // The server's mails and commands contain its address, so the port is chosen in advance.
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
  const opened = await openChromium({ after }, { permissions: ['clipboard-read', 'clipboard-write'] });
  return { server, mails, home, ...opened };
}
