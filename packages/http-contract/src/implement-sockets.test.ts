import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { implementSockets, type SocketFailures } from './implement-sockets.ts'
import { defineSockets, type Socket } from './socket.ts'

const contract = defineSockets({
  console: { path: '/console/{id}', params: v.object({ id: v.string() }), query: v.object({ size: v.string() }) },
})

const failures: SocketFailures = {
  invalid: ({ path }) => ({ kind: 'json', status: 400, headers: {}, value: path }),
  unexpected: () => ({ kind: 'empty', status: 500, headers: {} }),
}

const exchange = (query: string) => ({
  method: 'GET',
  params: { id: 'a' },
  query,
  headers: {},
  remoteAddress: '192.0.2.1',
  host: undefined,
  mount: { origin: 'http://localhost', path: '' },
  signal: new AbortController().signal,
})

async function accept(
  query: string,
  handler: (call: { params: { id: string }; caller: string }) => { open: (socket: Socket) => void },
  admitted = true,
) {
  const faults: unknown[] = []
  const [route] = implementSockets(
    contract,
    { console: handler },
    {
      failures,
      headers: () => ({ server: 'Test' }),
      onFault: (error) => faults.push(error),
      admit: () =>
        admitted ? { caller: 'me' } : { reply: { kind: 'empty', status: 401, headers: { 'x-why': 'key' } } },
    },
  )
  return { verdict: await route?.accept(exchange(query)), faults }
}

describe('implementSockets', () => {
  it('calls the handler with the checked parts and the caller', async () => {
    const open = () => undefined
    let seen: unknown
    const { verdict } = await accept('size=1', ({ params, caller }) => {
      seen = [params, caller]
      return { open }
    })
    expect([verdict, seen]).toEqual([{ open }, [{ id: 'a' }, 'me']])
  })

  it('refuses an upgrade that is not admitted, does not match its schemas, or causes a fault', async () => {
    const broken = () => {
      throw new Error('x')
    }
    expect((await accept('size=1', broken, false)).verdict).toEqual({
      reply: { kind: 'empty', status: 401, headers: { server: 'Test', 'x-why': 'key' } },
    })
    expect((await accept('', broken)).verdict).toMatchObject({ reply: { status: 400, value: 'size' } })
    const { verdict, faults } = await accept('size=1', broken)
    expect(verdict).toMatchObject({ reply: { status: 500, headers: { server: 'Test' } } })
    expect(faults).toEqual([new Error('x')])
  })
})
