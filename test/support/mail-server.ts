import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface MailServer {
  readonly port: number;
  /** Received mails, in order. */
  readonly mails: Email[];
  /** Recipients in the envelopes. */
  readonly envelopes: string[];
  /** Number of mails received over encrypted connections. */
  secured: number;
}

/** A real SMTP server on loopback, closed at the end of the test. */
export async function mailServer(
  t: { after(done: () => Promise<void>): void },
  options: SMTPServerOptions = { disabledCommands: ['STARTTLS'], authOptional: true },
): Promise<MailServer> {
  const state: { -readonly [Key in keyof MailServer]: MailServer[Key] } = {
    port: 0,
    mails: [],
    envelopes: [],
    secured: 0,
  };
  const server = new SMTPServer({
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          state.mails.push(mail);
          state.envelopes.push(...session.envelope.rcptTo.map(({ address }) => address));
          if (session.secure) state.secured += 1;
          done();
        }, done);
      });
    },
    ...options,
  });
  // Clients that do not trust it hang up in the middle of the handshake.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  state.port = (server.server.address() as AddressInfo).port;
  t.after(() => new Promise<void>((resolve) => server.close(resolve)));
  return state;
}
