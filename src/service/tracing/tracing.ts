import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Span } from '../../../lib/runtime/span.js';
import { version } from '../../../lib/runtime/version.js';

/** The operator's tracing. */
export interface Tracing {
  readonly span: Span;
  /** Runs the work of a request within the trace named by its headers. */
  within<T>(headers: Readonly<Record<string, unknown>>, work: () => T): T;
}

/** Error codes are part of the contract; other errors are named by their class. */
const codeOf = (error: unknown) =>
  error instanceof ExtractError ? error.code : error instanceof Error ? error.name : 'unknown';

/**
 * Returns the tracing registered by the operator's SDK; null for none, at no cost. The SDK registers itself before the
 * server starts, as with `NODE_OPTIONS=--import=…`.
 */
export function registeredTracing(): Tracing | null {
  const tracer = trace.getTracer('public-extract', version);
  const probe = tracer.startSpan('extract.start');
  probe.end();
  if (!probe.isRecording() && !trace.isSpanContextValid(probe.spanContext())) return null;
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await work();
        } catch (error) {
          const code = codeOf(error);
          span.setAttribute('error.type', code);
          span.setStatus({ code: SpanStatusCode.ERROR, message: code });
          throw error;
        } finally {
          span.end();
        }
      }),
    within(headers, work) {
      // An SDK that instruments HTTP has already started the request's span in that trace.
      const hasSpan = trace.getActiveSpan() !== undefined;
      return hasSpan ? work() : context.with(propagation.extract(context.active(), headers), work);
    },
  };
}
