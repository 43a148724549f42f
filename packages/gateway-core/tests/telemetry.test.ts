import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import {
  type Context,
  type ContextManager,
  context,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  trace,
} from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { NewApiKey } from '@trivium/gateway-core'
import { type MetricLabels, ProviderFailure } from '@trivium/gateway-core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { openTelemetryMetrics } from '../src/metrics/open-telemetry-metrics.ts'
import { delta, encodedAnswer, fakeProvider, finish, textStream, usage } from './fake-provider.ts'
import { openGateway } from './open-gateway.ts'

afterEach(() => {
  trace.disable()
  metrics.disable()
  propagation.disable()
  context.disable()
})

const answering = (events: readonly object[]) =>
  fakeProvider({
    stream: () => textStream(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`),
  })

/** Registers an SDK whose spans are returned, and a propagator that passes on the id of the current span. */
function traced(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  propagation.setGlobalPropagator({
    inject: (context, carrier, setter) =>
      setter.set(carrier, 'traceparent', trace.getSpanContext(context)?.spanId ?? ''),
    extract: (context) => context,
    fields: () => ['traceparent'],
  })
  return exporter
}

/** Keeps the active context over asynchronous calls, as the SDK for Node does. */
function asyncContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, call, self, ...values) => storage.run(active, () => Reflect.apply(call, self, values)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

/** Returns the span of the request, and those of its attempts in their order. */
function spansOf(exporter: InMemorySpanExporter) {
  const spans = exporter.getFinishedSpans()
  const request = spans.find(({ kind }) => kind === SpanKind.INTERNAL)
  const attempts = spans.filter(({ kind }) => kind === SpanKind.CLIENT)
  for (const attempt of attempts) expect(attempt.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
  return { request, attempts }
}

const unreachable = () => {
  throw new ProviderFailure({ type: 'unreachable', message: 'No route' })
}

describe('trace', () => {
  it('contains a span for each request and one of its attempt by the conventions, whose context the upstream receives', async () => {
    const exporter = traced()
    const provider = answering([delta('Hi'), finish, usage])
    const open = openGateway({ providers: [provider], prices: { 'up/big': { input: 1, output: 10 } } })
    const { secret } = await open.key()
    const fields = { temperature: 0.5, top_p: 0.9, max_completion_tokens: 50, seed: 7, stop: ['secret words'] }
    await (await open.chat(secret, { stream: true, ...fields })).text()
    const { request, attempts } = spansOf(exporter)
    const requested = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.stream': true,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.top_p': 0.9,
      'gen_ai.request.max_tokens': 50,
      'gen_ai.request.seed': 7,
    }
    expect(request?.name).toBe('chat up/big')
    expect(request?.attributes).toEqual({
      ...requested,
      'gen_ai.request.model': 'up/big',
      'gen_ai.response.model': 'big-2026',
      'trivium.provider': 'up',
      'trivium.status': 200,
      'trivium.cost': 0.000029,
    })
    expect(attempts.map(({ name }) => name)).toEqual(['chat big'])
    expect(attempts[0]?.attributes).toEqual({
      ...requested,
      'gen_ai.provider.name': 'up',
      'trivium.provider': 'up',
      'gen_ai.request.model': 'big',
      'gen_ai.response.id': 'chatcmpl-7',
      'gen_ai.response.model': 'big-2026',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 2,
    })
    expect(provider.calls[0]?.context.headers).toEqual({ traceparent: attempts[0]?.spanContext().spanId })
    const written = JSON.stringify([request, ...attempts].map((span) => [span?.attributes, span?.events]))
    for (const text of ['Hello', 'Hi', 'secret words']) expect(written).not.toContain(text)
  })

  it('contains a span for each attempt of a route, with its own upstream, error and context', async () => {
    const exporter = traced()
    const down = {
      ...fakeProvider({ id: 'down', complete: unreachable }),
      server: { name: 'openai', address: 'api.example.com', port: 443 },
    }
    const provider = fakeProvider()
    const open = openGateway({
      providers: [down, provider],
      models: { route: { targets: [{ model: 'down/big' }], fallbacks: ['up/big'] } },
      retries: { backoffMs: 0 },
    })
    const { secret } = await open.key()
    await open.chat(secret, { model: 'route' })
    const { request, attempts } = spansOf(exporter)
    expect(request).toMatchObject({ name: 'chat route', status: { code: 0 }, attributes: { 'trivium.provider': 'up' } })
    const failed = {
      status: { code: 2 },
      attributes: {
        'gen_ai.provider.name': 'openai',
        'trivium.provider': 'down',
        'server.address': 'api.example.com',
        'server.port': 443,
        'error.type': 'unreachable',
      },
    }
    expect(attempts).toMatchObject([failed, failed, { status: { code: 0 }, attributes: { 'trivium.provider': 'up' } }])
    expect(attempts[0]?.attributes).not.toHaveProperty(['gen_ai.usage.input_tokens'])
    const headers = [...down.calls, ...provider.calls].map(({ context }) => context.headers.traceparent)
    expect(headers).toEqual(attempts.map((span) => span.spanContext().spanId))
  })

  it('contains requests after an SDK was registered later, by another copy of the API', async () => {
    const load = createRequire(import.meta.url)
    const ours = new Set(Object.keys(load.cache))
    for (const path of ours) if (path.includes('/@opentelemetry/api/')) delete load.cache[path]
    const other: typeof import('@opentelemetry/api') = load('@opentelemetry/api')
    expect(other.trace).not.toBe(trace)
    const open = openGateway({ providers: [answering([delta('Hi'), finish, usage])] })
    const { secret } = await open.key()
    await (await open.chat(secret, { stream: true })).text()
    const exporter = new InMemorySpanExporter()
    other.trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    )
    await (await open.chat(secret, { stream: true })).text()
    const { request, attempts } = spansOf(exporter)
    expect([request, ...attempts].map((span) => span?.name)).toEqual(['chat up/big', 'chat big'])
  })

  it('has no span of an attempt for an answer of the cache', async () => {
    const exporter = traced()
    const open = openGateway({ answerCache: {} })
    const { secret } = await open.key()
    await open.chat(secret)
    exporter.reset()
    await open.chat(secret)
    const { request, attempts } = spansOf(exporter)
    expect([request?.attributes['trivium.cache.hit'], attempts.length]).toEqual([true, 0])
  })

  it('puts the span of a request within the active one of the host', async () => {
    const exporter = traced()
    context.setGlobalContextManager(asyncContexts())
    const open = openGateway()
    const { secret } = await open.key()
    const outer = trace.getTracer('host').startSpan('host')
    await context.with(trace.setSpan(context.active(), outer), () => open.chat(secret))
    expect(spansOf(exporter).request?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId)
  })

  it('contains the type of an error', async () => {
    const exporter = traced()
    const open = openGateway({ providers: [fakeProvider({ complete: unreachable })], retries: { retries: 0 } })
    const { secret } = await open.key()
    await open.chat(secret)
    const { request, attempts } = spansOf(exporter)
    const failed = { attributes: { 'error.type': 'unreachable' }, status: { code: 2 } }
    expect([request, ...attempts]).toMatchObject([failed, failed])
  })

  it('adds no headers without an SDK', async () => {
    const provider = fakeProvider()
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    await open.chat(secret)
    expect(provider.calls[0]?.context.headers).toEqual({})
  })
})

describe('recording of metrics', () => {
  it('uses the names of the conventions in OpenTelemetry', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
    const open = openGateway({ providers: [answering([delta('Hi'), finish, usage])] })
    const { secret } = await open.key({ rateLimit: 1 })
    await (await open.chat(secret, { stream: true })).text()
    await open.chat(secret)
    await reader.forceFlush()
    const all = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    const units = new Map(all.map(({ descriptor }) => [descriptor.name, descriptor.unit]))
    expect(units).toEqual(
      new Map([
        ['gen_ai.client.operation.duration', 's'],
        ['trivium.gateway.requests', '{request}'],
        ['gen_ai.server.time_to_first_token', 's'],
        ['gen_ai.client.token.usage', '{token}'],
        ['trivium.gateway.refusals', '{request}'],
      ]),
    )
    const tokens = all.find(({ descriptor }) => descriptor.name === 'gen_ai.client.token.usage')
    expect(
      tokens?.dataPoints.map(({ attributes, value }) => [
        attributes['gen_ai.token.type'],
        (value as { sum: number }).sum,
      ]),
    ).toEqual([
      ['input', 9],
      ['output', 2],
    ]) // a histogram has a sum
    await reader.shutdown()
  })

  it('keeps the last value of a gauge in OpenTelemetry', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
    const recorder = openTelemetryMetrics()
    const gauge = {
      name: 'trivium.things',
      kind: 'gauge',
      description: 'Things',
      unit: '{thing}',
      labels: ['error.type'],
    } as const
    for (const value of [3, 7, 5]) recorder?.record(gauge, value, { 'error.type': 'small' })
    await reader.forceFlush()
    const [shown] = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics[0]?.metrics ?? [])
    expect(shown?.dataPoints.map(({ attributes, value }) => [attributes['error.type'], value])).toEqual([['small', 5]])
    await reader.shutdown()
  })

  it('names an operation like its span', async () => {
    const exporter = new InMemorySpanExporter()
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
    const recorded = new Set<string | undefined>()
    const testImage = { bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47]), contentType: 'image/png' } as const
    const open = openGateway({
      metrics: { record: (_, __, labels) => recorded.add(labels['gen_ai.operation.name']) },
      providers: [
        fakeProvider({
          images: { generate: async () => ({ images: [testImage] }) },
          models: async () => [{ id: 'paint', kind: 'image', ownedBy: 'up', created: 1 }],
        }),
      ],
    })
    const { secret } = await open.key()
    await open.send('/v1/images/generations', { as: secret, body: { prompt: 'a cat' } })
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([
      'generate_content paint',
      'generate_content up/paint',
    ])
    expect([...recorded]).toEqual(['generate_content'])
  })

  it('limits the number of model names, which clients may invent', async () => {
    const recorded = new Set<string | undefined>()
    const open = openGateway({
      metrics: { record: (_, __, labels) => recorded.add(labels['gen_ai.request.model']) },
      providers: [fakeProvider({ models: () => Promise.reject(new Error('no list')) })],
    })
    const { secret } = await open.key({ rateLimit: 2_000 })
    for (let index = 0; index < 1_010; index += 1) await open.chat(secret, { model: `up/${index}` })
    await open.chat(secret, { model: 'up/0' })
    expect(recorded.size).toBe(1_001)
    expect([...recorded].at(-1)).toBe('other')
  })

  it('counts refusals by the limit that is used up', async () => {
    const reasons: (string | undefined)[] = []
    const held = Promise.withResolvers<void>()
    const up = fakeProvider({
      models: ['big', 'slow'],
      async complete({ model }) {
        if (model === 'slow') await held.promise
        return encodedAnswer()
      },
    })
    const open = openGateway({
      providers: [up],
      prices: { 'up/*': { input: 1, output: 10 } },
      metrics: { record: ({ name }, _, { reason }) => name === 'trivium.gateway.refusals' && reasons.push(reason) },
    })
    const exhaust = async (fields: Partial<NewApiKey>) => {
      const { secret } = await open.key(fields)
      const statuses: number[] = []
      while (statuses.at(-1) !== 429 && statuses.length < 40) {
        statuses.push((await open.chat(secret, { max_completion_tokens: 94 })).status)
      }
    }
    await exhaust({ rateLimit: 1 })
    await exhaust({ budget: { tokensPerMinute: 100 } })
    await exhaust({ budget: { tokensPerDay: 100 } })
    await exhaust(JSON.parse('{"budget":{"spend":{"most":1900000,"period":"day"}}}'))
    expect(reasons).toEqual(['rate-limit', 'minute-budget', 'day-budget', 'money-budget'])
    const { secret } = await open.key({ budget: { parallel: 1 } })
    const answered = up.calls.length
    const running = open.chat(secret, { model: 'up/slow' })
    await up.untilCalled(answered + 1)
    await open.chat(secret, { model: 'up/slow' })
    held.resolve()
    await running
    expect(reasons.at(-1)).toBe('parallel-requests')
  })

  it('reports each value that the recorder refuses, and records the others', async () => {
    const recorded: string[] = []
    const open = openGateway({
      metrics: {
        record({ name }) {
          recorded.push(name)
          if (name === 'trivium.gateway.requests') throw new Error('no such label')
        },
      },
    })
    const { secret } = await open.key()
    expect((await open.chat(secret)).status).toBe(200)
    expect(open.faults).toEqual([expect.objectContaining({ message: 'no such label' })])
    expect(recorded.filter((name) => name === 'gen_ai.client.token.usage')).toHaveLength(2)
  })

  it("reaches the host's own recorder", async () => {
    const recorded: [string, number, MetricLabels][] = []
    const open = openGateway({
      metrics: { record: ({ name }, value, labels) => recorded.push([name, value, labels]) },
      providers: [
        fakeProvider({
          complete: () => {
            throw new ProviderFailure({ type: 'refused', status: 500, message: 'x' })
          },
        }),
      ],
      retries: { retries: 0 },
    })
    const { secret } = await open.key()
    await open.chat(secret)
    const labels = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'up/big', 'gen_ai.provider.name': 'up' }
    expect(recorded.map(([name, , labels]) => [name, labels])).toEqual([
      ['trivium.gateway.upstream.failures', { 'gen_ai.provider.name': 'up', 'error.type': 'refused' }],
      ['gen_ai.client.operation.duration', { ...labels, 'error.type': 'refused' }],
      ['trivium.gateway.requests', { ...labels, status: '502' }],
    ])
  })
})
