import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../lib/runtime/clock.js';
import manifest from '../../../package.json' with { type: 'json' };

export interface WellKnownDependencies {
  readonly clock: Clock;
  readonly docsBase: string;
  /** Email address of the operator; without one, vulnerabilities are reported to the project. */
  readonly operatorEmail?: string | undefined;
}

/** Milliseconds for which a contact is valid: a year is the maximum recommended by RFC 9116. */
const contactMs = 365 * 86_400_000;

/** Search engines may index documentation and status, but neither account pages nor anything that costs credits. */
const robots = `User-agent: *
Allow: /docs
Allow: /status
Disallow: /
`;

/** Adds the files that programs expect on any server: `robots.txt`, and `security.txt` (RFC 9116). */
export function addWellKnownRoutes(
  app: FastifyInstance,
  { clock, docsBase, operatorEmail }: WellKnownDependencies,
): void {
  app.get('/robots.txt', (_, reply) =>
    reply.header('Cache-Control', 'public, max-age=86400').type('text/plain; charset=utf-8').send(robots),
  );
  app.get('/.well-known/security.txt', (_, reply) => {
    const contact = operatorEmail === undefined ? manifest.bugs.url : `mailto:${operatorEmail}`;
    const expires = new Date(clock.now() + contactMs).toISOString();
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      'Preferred-Languages: en',
      `Canonical: ${docsBase}/.well-known/security.txt`,
      '',
    ];
    return reply
      .header('Cache-Control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(lines.join('\n'));
  });
}
