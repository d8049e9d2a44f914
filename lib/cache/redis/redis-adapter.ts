import KeyvRedis from '@keyv/redis';
import type { AnswerStore } from '../careful-store.js';
import { namespace } from '../tier.js';

/** Connects to Redis or a compatible server. Rejects after `timeoutMs`. */
export async function connectRedis(url: string, timeoutMs: number) {
  const store = new KeyvRedis<string>(
    {
      url,
      // A command that cannot be sent immediately is a miss. A lost connection is reopened when the cache is next used.
      disableOfflineQueue: true,
      socket: { connectTimeout: timeoutMs, reconnectStrategy: false },
    },
    { namespace, throwOnErrors: true, connectionTimeout: timeoutMs },
  );
  let thrown: unknown;
  // It emits errors and hides their cause behind its own message.
  store.on('error', (cause: unknown) => {
    thrown = cause;
  });
  const withCause = async <T>(work: () => Promise<T>): Promise<T> => {
    thrown = undefined;
    try {
      return await work();
    } catch (cause) {
      throw thrown ?? cause;
    }
  };
  const { client } = store;
  await withCause(() => store.getClient());
  // An otherwise idle process exits.
  if ('unref' in client) client.unref();
  return { store, withCause };
}

/** Returns the cache in Redis. Rejects if it cannot be reached within `timeoutMs`. */
export async function redisAdapter(url: string, timeoutMs: number): Promise<AnswerStore> {
  const { store, withCause } = await connectRedis(url, timeoutMs);
  return {
    get: (key) => withCause(() => store.get(key)),
    set: (key, value, expires) => withCause(() => store.set(key, value as string, expires)),
    async clear() {
      let fault: unknown;
      const onFault = (cause: unknown) => {
        fault = cause;
      };
      // It emits an error and resolves.
      store.once('error', onFault);
      await store.clear();
      store.off('error', onFault);
      if (fault !== undefined) throw fault;
    },
    disconnect: () => store.disconnect(true),
  };
}
