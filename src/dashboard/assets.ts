import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** Beside this file in the sources; the build puts them beside the file that this one becomes part of. */
const folder = new URL('./assets/', import.meta.url);

/** Addresses of the files that pages load. */
export interface AssetNames {
  readonly style: string;
  readonly script: string;
}

/**
 * Serves the style sheet and the script under names that hold a digest of their content: a browser may keep them for
 * ever, and never sees an old one with a new page.
 */
export async function addAssets(app: FastifyInstance): Promise<AssetNames> {
  const serve = async (stem: string, ending: string, type: string): Promise<string> => {
    const content = await readFile(new URL(`${stem}.${ending}`, folder));
    const digest = createHash('sha256').update(content).digest('base64url').slice(0, 12);
    const address = `/assets/${stem}-${digest}.${ending}`;
    app.get(address, async (_, reply) =>
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(content),
    );
    return address;
  };
  const [style, script] = await Promise.all([
    serve('style', 'css', 'text/css; charset=utf-8'),
    serve('script', 'js', 'text/javascript; charset=utf-8'),
  ]);
  return { style, script };
}
