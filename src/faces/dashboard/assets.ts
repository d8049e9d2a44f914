import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** Beside this file in the sources; the build puts them beside the file that this one becomes part of. */
const folder = new URL('./assets/', import.meta.url);

/** The parts of the style sheet in the order in which later ones may change what earlier ones say. */
const sheets = ['base', 'frame', 'parts', 'forms', 'tables', 'code', 'charts', 'media'];

const read = (name: string) => readFile(new URL(name, folder), 'utf8');

/** Addresses of the files that pages load. */
export interface AssetNames {
  readonly style: string;
  readonly script: string;
}

/**
 * Serves the style sheet and the script under names that hold a digest of their content. A browser may keep them for
 * ever, and never sees an old one with a new page.
 */
export async function addAssets(app: FastifyInstance): Promise<AssetNames> {
  const serve = (stem: string, ending: string, type: string, content: string): string => {
    const digest = createHash('sha256').update(content).digest('base64url').slice(0, 12);
    const address = `/assets/${stem}-${digest}.${ending}`;
    app.get(address, async (_, reply) =>
      reply.header('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(content),
    );
    return address;
  };
  const style = (await Promise.all(sheets.map((name) => read(`style/${name}.css`)))).join('\n');
  const script = await read('script.js');
  return {
    style: serve('style', 'css', 'text/css; charset=utf-8', style),
    script: serve('script', 'js', 'text/javascript; charset=utf-8', script),
  };
}
