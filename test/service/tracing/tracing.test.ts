import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { call } from '../../../lib/call/call.js';
import { readConfig } from '../../../lib/config.js';
import { endpoints } from '../../../lib/endpoints.js';
import { localAccount } from '../../../lib/ledger/ledger.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import { casesOf } from '../../../lib/samples.js';
import { openServices } from '../../../lib/services.js';
import { routeSource } from '../../../lib/web/routes.js';
import { tracedServices } from '../../../src/service/tracing/traced-services.js';
import { registeredTracing, type Tracing } from '../../../src/service/tracing/tracing.js';
import { fixturesOf } from '../../support/fixtures.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { awaitJob, jobsHarness, makeJob, picky } from '../jobs/harness.js';

const exporter = new InMemorySpanExporter();
const home = temporaryFolder();

/** An SDK, as an operator's `--import` registers it. */
function register(): Tracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  const tracing = registeredTracing();
  assert.ok(tracing);
  return tracing;
}

test('a process without an SDK is not traced', () => {
  assert.equal(registeredTracing(), null);
});

describe('with an SDK', () => {
  const endpoint = endpoints.find(({ path }) => path === 'shortvideo/profile');
  assert.ok(endpoint);
  beforeEach(() => exporter.reset());
  let tracing: Tracing;
  before(() => {
    tracing = register();
  });
  const spansNamed = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name);
  const parentOf = ({ parentSpanContext }: ReadableSpan) => parentSpanContext?.spanId;

  async function ask() {
    assert.ok(endpoint);
    const [chosen] = await casesOf(endpoint);
    assert.ok(chosen);
    const services = openServices(readConfig({ home, cache: false }, {}));
    const pages = async () => routeSource(fixturesOf(endpoint), chosen.pages);
    const traced = tracedServices({ ...services, pages }, tracing.span);
    const requestId = newRequestId();
    try {
      const at = new Date().toISOString();
      await services.ledger.grant({ id: requestId, account: localAccount, credits: 100, kind: 'pack', at });
      await call(endpoint, chosen.params, traced, { requestId, account: localAccount });
    } finally {
      await services.close();
    }
    return requestId;
  }

  test('a call is one span with its pages and entries of money below it, all of one request id', async () => {
    const requestId = await ask();
    const [called] = spansNamed('extract.call');
    assert.ok(called);
    const { 'extract.request_id': id, 'extract.endpoint': path } = called.attributes;
    assert.deepEqual([id, path], [requestId, 'shortvideo/profile']);
    assert.ok(spansNamed('extract.page').length > 0);
    for (const page of spansNamed('extract.page')) assert.equal(parentOf(page), called.spanContext().spanId);
    const entries = spansNamed('extract.settle');
    const steps = entries.map(({ attributes }) => attributes['extract.step']);
    assert.deepEqual(steps, ['charge', 'settle']);
    for (const entry of entries) {
      assert.equal(entry.attributes['extract.request_id'], requestId);
      assert.equal(parentOf(entry), called.spanContext().spanId);
    }
  });

  test('a request continues the trace that its headers name', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await tracing.within({ traceparent }, () => tracing.span('extract.call', {}, async () => undefined));
    const [called] = spansNamed('extract.call');
    assert.equal(called?.spanContext().traceId, '0af7651916cd43dd8448eb211c80319c');
  });

  test('inputs of a job are spans that name the job', async (t) => {
    const jobs = await jobsHarness(t, { ask: picky, services: { span: tracing.span } });
    const customer = await jobs.customer();
    const id = await makeJob(jobs, customer, ['one', 'bad', 'three']);
    await awaitJob(jobs, customer, id);
    const spans = spansNamed('extract.job');
    assert.equal(spans.length, 3);
    assert.deepEqual(new Set(spans.map(({ attributes }) => attributes['extract.job_id'])), new Set([id]));
    assert.equal(spans.filter(({ status }) => status.code === SpanStatusCode.ERROR).length, 1);
  });
});
