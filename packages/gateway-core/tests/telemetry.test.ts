import { metrics, propagation, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { type MetricLabels, ProviderFailure } from '@trivium/gateway-core/ports'
import { afterEach, describe, expect, it } from 'vitest'
import { openTelemetryMetrics } from '../src/metrics/open-telemetry-metrics.ts'
import { delta, fakeProvider, finish, textStream, usage } from './fake-provider.ts'
import { openGateway } from './open-gateway.ts'

afterEach(() => {
  trace.disable()
  metrics.disable()
  propagation.disable()
})

const answering = (events: readonly object[]) =>
  fakeProvider({
    stream: () => textStream(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`),
  })

describe('trace', () => {
  it('contains a span for each request by the conventions, whose context upstreams receive', async () => {
    const exporter = new InMemorySpanExporter()
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
    propagation.setGlobalPropagator({
      inject: (context, carrier, setter) =>
        setter.set(carrier, 'traceparent', trace.getSpanContext(context)?.traceId ?? ''),
      extract: (context) => context,
      fields: () => ['traceparent'],
    })
    const provider = answering([delta('Hi'), finish, usage])
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    await (await open.chat(secret, { stream: true })).text()
    const [span] = exporter.getFinishedSpans()
    expect(span?.name).toBe('chat up/big')
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'up',
      'gen_ai.request.model': 'up/big',
      'gen_ai.response.id': 'chatcmpl-7',
      'gen_ai.response.model': 'big-2026',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 2,
    })
    expect(provider.calls[0]?.context.headers).toEqual({ traceparent: span?.spanContext().traceId })
  })

  it('contains the type of an error', async () => {
    const exporter = new InMemorySpanExporter()
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
    const complete = () => {
      throw new ProviderFailure({ type: 'unreachable', message: 'No route', retryable: false })
    }
    const open = openGateway({ providers: [fakeProvider({ complete })] })
    const { secret } = await open.key()
    await open.chat(secret)
    expect(exporter.getFinishedSpans()).toMatchObject([
      { attributes: { 'error.type': 'unreachable' }, status: { code: 2 } },
    ])
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
    const gauge = { name: 'trivium.things', kind: 'gauge', description: 'Things', unit: '{thing}' } as const
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
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['generate_content up/paint'])
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
