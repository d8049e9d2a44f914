/**
 * A controller that is aborted along with `signal`, until it is released. A signal that lives for thousands of requests
 * then does not keep all of them (`AbortSignal.any` leaks on Node 20).
 */
export function linkedAbort(signal: AbortSignal | undefined): {
  controller: AbortController;
  unlink(): void;
} {
  const controller = new AbortController();
  if (signal === undefined) return { controller, unlink() {} };
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { controller, unlink: () => signal.removeEventListener('abort', abort) };
}
