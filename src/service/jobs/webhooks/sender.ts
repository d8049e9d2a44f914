import { Agent, type Dispatcher, request } from 'undici';
import { linkedAbort } from '../../../../lib/runtime/abort.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { version } from '../../../../lib/runtime/version.js';
import { type ProxySettings, proxiesOf } from '../../../../lib/web/proxies.js';
import { proxyErrorOf } from '../../../../lib/web/proxy-pool.js';
import { NotPublic, type Targets } from './targets.js';
import { checkedTunnelAgent } from './tunnels.js';

/** Milliseconds that a receiver has to respond. */
const answerMs = 15_000;

export interface AttemptOutcome {
  /** Null without a response. */
  readonly status: number | null;
  /** Why it was not accepted; null if it was. */
  readonly error: string | null;
  /** False if another attempt would end the same way. */
  readonly again: boolean;
}

interface WebhookMessage {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends deliveries, each over its own connection. */
export interface Sender {
  /** Rejects only with the signal's reason. */
  send(message: WebhookMessage, signal: AbortSignal): Promise<AttemptOutcome>;
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly targets: Targets;
  readonly clock: Clock;
  readonly proxy: ProxySettings;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string | undefined;
}

const timeout = new DOMException('No response within 15 seconds.', 'TimeoutError');

function outcomeOfStatus(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return { status, error: null, again: false };
  if (status >= 300 && status < 400) {
    return { status, error: 'The receiver redirects; redirects are not followed.', again: true };
  }
  const again = status >= 500 || status === 429;
  return { status, error: `The receiver responded with status ${status}.`, again };
}

const faults: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host cannot be found.',
  EAI_AGAIN: 'The host cannot be found.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection was closed without a response.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
};

function faultText(cause: unknown): string {
  if (cause === timeout) return timeout.message;
  if (cause instanceof NotPublic) return cause.message;
  const { code = '', cause: inner } = cause as { code?: string; cause?: unknown };
  if (inner instanceof NotPublic) return inner.message;
  const tunnel = proxyErrorOf(cause);
  // The reader is an account, which cannot change the server's settings.
  if (tunnel !== null) return `The proxy to the receiver ${tunnel.what}.`;
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(code);
  if (certificate) return `The certificate of the receiver is not trusted (${code}).`;
  return faults[code] ?? 'The connection failed.';
}

/** Creates a sender. Throws `invalid_parameter` for a proxy setting that is not a URL. */
export function createSender({ targets, clock, proxy, ca }: SenderOptions): Sender {
  const proxies = proxiesOf(proxy);
  // Only the injected clock measures time. Connections are not reused, so that each address is checked again.
  const common = {
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
    connect: { lookup: targets.lookup, timeout: answerMs, ...(ca === undefined ? {} : { ca }) },
  };
  const dispatcher: Dispatcher =
    proxies === null
      ? new Agent(common)
      : checkedTunnelAgent({ ...common, targets, proxies, tunnelMs: answerMs, ca });
  return {
    async send({ url, body, headers }, callerSignal) {
      const { controller, unlink } = linkedAbort(callerSignal);
      const { signal } = controller;
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      aborted.catch(() => undefined);
      const stopTimer = clock.alarm(answerMs, () => controller.abort(timeout));
      try {
        targets.checkLiteral(url);
        const sending = request(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': `public-extract/${version}`,
            ...headers,
          },
          body,
          dispatcher,
          signal,
        });
        // undici would notice an abort only once connected.
        const answer = await Promise.race([sending, aborted]);
        // Only the status matters, and the body may be endless.
        answer.body.on('error', () => undefined).destroy();
        return outcomeOfStatus(answer.statusCode);
      } catch (cause) {
        if (callerSignal.aborted) throw callerSignal.reason;
        return { status: null, error: faultText(cause), again: true };
      } finally {
        unlink();
        stopTimer();
      }
    },
    close: () => dispatcher.destroy(),
  };
}
