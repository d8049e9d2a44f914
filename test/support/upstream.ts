import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import * as z from 'zod';
import { defineEndpoint, type Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { pageUrl, text } from '../../lib/params/vocabulary.js';
import { at, parseJson, scriptBytesById } from '../../lib/read/json.js';
import { objectOfKey } from '../../lib/read/json-cut.js';
import { refuseByStatus, requireValue } from '../../lib/read/refusal.js';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { fromSource } from './from-source.js';
import { accountKey, scriptId } from './upstream-page.js';

/** A running test platform. */
export interface Upstream {
  readonly origin: string;
  close(): void;
}

/** Starts one; pages have `kilobytes`. */
export async function startUpstream(kilobytes = 2): Promise<Upstream> {
  const program = path.join(packageRoot(), 'test', 'support', 'upstream-program.ts');
  const child = fork(program, [String(kilobytes)], { execArgv: [...fromSource] });
  const [port] = (await once(child, 'message')) as [number];
  return { origin: `http://127.0.0.1:${port}`, close: () => child.disconnect() };
}

/** A row of a table that reads accounts from such a platform. */
export function accountEndpoint(origin: string): Endpoint {
  return defineEndpoint({
    path: 'shortvideo/account',
    operation: 'get_account',
    summary: 'An account',
    description: 'An account.',
    credits: 3,
    cacheSeconds: 3600,
    site: {
      platform: 'shortvideo',
      brand: 'TikTok',
      alias: 'tiktok',
      hosts: ['127.0.0.1'],
      headers: { accept: 'text/html' },
      surfaces: { page: { ms: 0, concurrency: 64 } },
      maxBytes: 1_000_000,
    },
    params: () => ({ username: text('Name of the account.'), url: pageUrl('Its page.') }),
    exactlyOne: ['username', 'url'],
    returns: z.strictObject({
      username: z.string(),
      display_name: z.string(),
      bio: z.string(),
      follower_count: z.int(),
      following_count: z.int(),
      likes_count: z.int().nullable(),
      is_verified: z.boolean(),
      link: z.url().nullable(),
    }),
    many: false,
    identify: ({ username, url }) => ({ username: username ?? String(url).split('/p/')[1] ?? '' }),
    async read({ identity: { username }, session }) {
      const page = await session.fetch({ url: `${origin}/p/${encodeURIComponent(username)}` });
      refuseByStatus(page);
      // Parses only the account if it can be cut out, as the reader of real profile pages does.
      const data = requireValue(scriptBytesById(page.body, scriptId), 'its data');
      const user = objectOfKey(data, accountKey) ?? at(parseJson(data.toString(), 'The data'), accountKey);
      if (user === null) throw new ExtractError('profile_not_found', `There is no account ${username}.`);
      return {
        sources: [],
        data: {
          username: at(user, 'name') as string,
          display_name: at(user, 'nick') as string,
          bio: at(user, 'bio') as string,
          follower_count: at(user, 'followers') as number,
          following_count: at(user, 'following') as number,
          likes_count: at(user, 'likes') as null,
          is_verified: at(user, 'verified') as boolean,
          link: at(user, 'link') as string,
        },
      };
    },
  }) as Endpoint;
}
