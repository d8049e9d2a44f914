import type { FastifyInstance, FastifyReply } from 'fastify';
import { createContext, type ReactElement, useContext } from 'react';
import { renderPage } from '../../output/html.js';
import { hasPrices } from '../../service/accounts/packs/payments.js';
import { type Banner, bannerOf } from './banners.js';
import { type DashboardContext, tokenHolder, type Viewer } from './context.js';

/** What every page knows of its request and of the server. */
interface Frame {
  readonly viewer: Viewer | null;
  /** Included in every form: `PostForm`. */
  readonly token: string;
  readonly path: string;
  readonly banner: Banner | null;
  /** Origin of the links to the documentation. */
  readonly docsBase: string;
  /** True if packs of credits have prices here. Otherwise pages do not mention buying. */
  readonly sells: boolean;
}

const FrameContext = createContext<Frame | null>(null);

export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (frame === null) throw new Error('A part of a page was rendered outside of `reply.sendPage`.');
  return frame;
}

declare module 'fastify' {
  interface FastifyReply {
    /** Renders a page of the dashboard within its frame. */
    sendPage(page: ReactElement, status?: number): FastifyReply;
  }
}

export const pathOf = (url: string) => url.split('?', 1)[0] ?? '/';

/** Adds `reply.sendPage` to all routes below. */
export function addPages(app: FastifyInstance, { services, hosting }: DashboardContext): void {
  app.decorateReply('sendPage', function sendPage(this: FastifyReply, page: ReactElement, status = 200) {
    const { request } = this;
    const { done } = request.query as { readonly done?: unknown };
    const frame: Frame = {
      viewer: request.viewer,
      token: this.generateCsrf({ userInfo: tokenHolder(request) }),
      path: pathOf(request.url),
      banner: bannerOf(done),
      docsBase: services.docsBase,
      sells: hasPrices(hosting.payments.packs),
    };
    const framed = <FrameContext value={frame}>{page}</FrameContext>;
    return this.code(status).type('text/html; charset=utf-8').send(renderPage(framed));
  });
}
