import { describe, expect, it, onTestFinished } from 'vitest'
import { faults, openFaultyProxy, RECOVERY_MS, requestContinuously } from '../../gateway-core/tests/faulty-proxy.ts'
import { upstreamServer } from '../../gateway-core/tests/upstream-server.ts'
import { createUpstream, readAnswer } from '../src/index.ts'

const portOf = ({ origin }: { readonly origin: string }): number => Number(new URL(origin).port)

async function upstreamThroughProxy() {
  // Some upstreams allow idle connections of ten minutes.
  const servers = [1, 2].map(() =>
    upstreamServer((_, response) => response.writeHead(200, { 'keep-alive': 'timeout=600' }).end('{}')),
  )
  const [first, second] = await Promise.all(servers)
  if (!first || !second) throw new Error('no upstream was started')
  const proxy = await openFaultyProxy(portOf(first))
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const upstream = createUpstream({ baseUrl: `http://127.0.0.1:${proxy.port}`, errorIn: () => ({}) })
  onTestFinished(() => upstream.close())
  const ask = async (signal: AbortSignal) => readAnswer(await upstream.call({ path: '/' }, { signal }))
  return { proxy, ask, otherPort: portOf(second) }
}

describe('createUpstream on a faulty network', { timeout: 60_000 }, () => {
  it.each(faults)('recovers from $name when requests have a timeout', async ({ name, trigger }) => {
    const { proxy, ask, otherPort } = await upstreamThroughProxy()
    const asking = requestContinuously(() => ask(AbortSignal.timeout(1000)))
    try {
      await asking.recovered()
      await trigger(proxy, () => asking.failure(), otherPort)
      const took = await asking.recovered()
      console.info(`Upstream, ${name}: answers after ${took.toFixed()} ms`)
      expect(took).toBeLessThan(RECOVERY_MS)
    } finally {
      await asking.stop()
    }
  })

  it('uses no connection that was cut silently while an earlier request waits', async () => {
    const { proxy, ask } = await upstreamThroughProxy()
    const patient = new AbortController()
    await Promise.all([1, 2, 3, 4].map(() => ask(patient.signal)))
    proxy.silence()
    const waiting = ask(patient.signal).catch((error: unknown) => error)
    const since = performance.now()
    while (proxy.connections > 1) await proxy.closed()
    console.info(`Upstream: idle connections are closed after ${(performance.now() - since).toFixed()} ms`)
    expect(performance.now() - since).toBeLessThan(RECOVERY_MS)
    await Promise.all([1, 2, 3, 4].map(() => ask(patient.signal)))
    patient.abort()
    expect(await waiting).toBeInstanceOf(Error)
  })
})
