import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes, gatewaySocketRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import { localProvider } from '@trivium/local-provider'
import { describe, expect, it } from 'vitest'
import type { GatewayGeneration } from './gateway-generation.ts'
import { SwappableGateway } from './swappable-gateway.ts'

const repositories = memoryGatewayRepositories()
const authorize = { '*': () => ({ type: 'admin' as const }) }

interface Watched extends GatewayGeneration {
  readonly closed: Promise<void>
  isClosed: boolean
}

/** A gateway whose local models wait after the first word until they are released. */
function generation(id: string): Watched & { release(): void } {
  const released = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  let words = 0
  const sleep = async () => {
    words += 1
    if (words > 1) await released.promise
  }
  const provider = localProvider({ id, tokenDelayMs: 1, sleep })
  const gateway = createGateway({ repositories, providers: [provider] })
  const made = {
    label: id,
    gateway,
    firstModel: undefined,
    routes: gatewayRoutes(gateway, { authorize }),
    sockets: gatewaySocketRoutes(gateway, { authorize }),
    release: released.resolve,
    closed: closed.promise,
    isClosed: false,
    async close() {
      await gateway.close()
      made.isClosed = true
      closed.resolve()
    },
  }
  return made
}

const setUp = () => {
  const first = generation('first')
  const faults: unknown[] = []
  const swappable = new SwappableGateway(first, (error) => faults.push(error))
  const handle = fetchHandler(swappable.routes)
  const ask = async (path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Response> => {
    const init = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}
    const response = await handle(new Request(`http://localhost${path}`, { method, ...init }))
    if (!response) throw new Error('no route')
    return response
  }
  const chat = (id: string) =>
    ask('/v1/chat/completions', {
      model: `${id}/echo-no-llm`,
      messages: [{ role: 'user', content: 'one two three' }],
      stream: true,
    })
  return { first, faults, swappable, ask, chat }
}

describe('SwappableGateway', () => {
  it('closes the gateway before when its last stream has ended, and answers new requests by the new one', async () => {
    const { first, faults, swappable, ask, chat } = setUp()
    const running = await chat('first')
    const second = generation('second')
    swappable.replace(second)
    const models = await (await ask('/v1/models')).text()
    expect(models).toContain('second/echo-no-llm')
    expect(models).not.toContain('first/')
    expect(first.isClosed).toBe(false)
    first.release()
    expect(await running.text()).toContain('[DONE]')
    await first.closed
    await swappable.close()
    expect(second.isClosed).toBe(true)
    expect(faults).toEqual([])
  })

  it('closes the gateway before immediately where nothing runs, and when a client leaves', async () => {
    const { first, swappable, chat } = setUp()
    const second = generation('second')
    swappable.replace(second)
    await first.closed
    const left = await chat('second')
    swappable.replace(generation('third'))
    await left.body?.cancel()
    await second.closed
    await swappable.close()
  })

  it('finishes a response in the background, whose events the new gateway passes on', async () => {
    const { first, faults, swappable, ask } = setUp()
    const created = await ask('/v1/responses', {
      model: 'first/echo-no-llm',
      input: 'one two three',
      background: true,
      stream: true,
    })
    const started: string[] = []
    for await (const bytes of created.body ?? []) {
      started.push(new TextDecoder().decode(bytes))
      if (started.join('').includes('resp_')) break
    }
    const id = /resp_[\w-]+/.exec(started.join(''))?.[0]
    swappable.replace(generation('second'))
    const events = await ask(`/v1/responses/${id}?stream=true`)
    expect(events.status).toBe(200)
    expect(first.isClosed).toBe(false)
    first.release()
    expect(await events.text()).toContain('response.completed')
    await first.closed
    expect(await (await ask(`/v1/responses/${id}`)).json()).toMatchObject({ status: 'completed' })
    await swappable.close()
    expect(faults).toEqual([])
  })

  it('emits the events of all gateways', async () => {
    const { first, swappable, chat } = setUp()
    const finished: string[] = []
    swappable.events.on('request.finished', ({ model }) => finished.push(model))
    const running = await chat('first')
    const second = generation('second')
    second.release()
    swappable.replace(second)
    await (await chat('second')).text()
    first.release()
    await running.text()
    await first.closed
    expect(finished).toEqual(['second/echo-no-llm', 'first/echo-no-llm'])
    await swappable.close()
  })
})
