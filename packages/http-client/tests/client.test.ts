import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createClient,
  createSocketClient,
  expectOk,
  InterruptedStreamError,
  RefusalError,
  SocketRefusedError,
  UnexpectedReplyError,
} from '../src/index.ts'
import { hosts, type Served } from './hosts.ts'
import { openWorkshop, workshopContract, workshopSockets } from './workshop.ts'

describe.each(Object.keys(hosts))('a client of a %s server', (name) => {
  let workshop: ReturnType<typeof openWorkshop>
  let served: Served
  const client = () => createClient(workshopContract, { baseUrl: served.url, headers: { authorization: 'Bearer me' } })
  const sockets = () => createSocketClient(workshopSockets, { baseUrl: served.url })

  beforeEach(async () => {
    workshop = openWorkshop()
    const served_ = await hosts[name]?.(workshop.routes, workshop.sockets)
    if (!served_) throw new Error(`no host ${name}`)
    served = served_
  })

  afterEach(() => served.close())

  it('sends the parts that the operation declares as the server reads them', async () => {
    const reply = await client().describeTool({
      params: { shelf: 'ü/1', tool: 'saw/big one' },
      query: { limit: 3, tag: ['sharp', 'a&b'] },
      body: { weight: 2 },
    })
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        params: { shelf: 'ü/1', tool: 'saw/big one' },
        query: { limit: '3', tag: ['sharp', 'a&b'] },
        headers: { authorization: 'Bearer me' },
        body: { weight: 2 },
      },
    ])
  })

  it('returns a declared failure as a reply, and expectOk throws it', async () => {
    const reply = await client().breakTool()
    expect([reply.status, reply.ok, reply.headers.get('x-again'), reply.body]).toEqual([
      409,
      false,
      '1',
      { message: 'It is broken already' },
    ])
    const refusal = await expectOk(client().breakTool()).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(RefusalError)
    expect(refusal).toMatchObject({ status: 409, message: 'It is broken already' })
  })

  it('throws for an undeclared reply, with the message of the server', async () => {
    const unexpected = await client()
      .fail()
      .catch((error: unknown) => error)
    expect(unexpected).toBeInstanceOf(UnexpectedReplyError)
    expect(unexpected).toMatchObject({ status: 500, message: 'the workshop burns' })
  })

  it('reads bytes and lines', async () => {
    const { body } = await client().draw()
    expect(new Uint8Array(await body.arrayBuffer())).toEqual(new Uint8Array([1, 2, 255]))
    const lines = await expectOk(client().log())
    expect(await Array.fromAsync(lines)).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('distinguishes a whole answer from its events', async () => {
    const whole = await client().work({ body: { stream: false } })
    expect([whole.kind, whole.body]).toEqual(['json', { text: 'grüß dich' }])
    const streamed = await client().work({ body: { stream: true } })
    if (streamed.kind !== 'events') throw new Error('no events')
    expect(await Array.fromAsync(streamed.body)).toEqual(['grüß', 'dich'])
  })

  it('throws when a stream ends without its sentinel', async () => {
    const reply = await client().work({ body: { stream: true, cut: true } })
    if (reply.kind !== 'events') throw new Error('no events')
    const seen: string[] = []
    const read = async () => {
      for await (const event of reply.body) seen.push(event)
    }
    await expect(read()).rejects.toThrow(InterruptedStreamError)
    expect(seen).toEqual(['grüß', 'interrupted'])
  })

  it('ends the request when the reader leaves the loop', async () => {
    for await (const event of await expectOk(client().watch())) {
      expect(event).toBe(1)
      break
    }
    await workshop.left
  })

  it('ends a stream when the signal aborts', async () => {
    const controller = new AbortController()
    const events = await expectOk(client().watch({ signal: controller.signal }))
    expect((await events.next()).value).toBe(1)
    controller.abort()
    await expect(events.next()).rejects.toThrow('aborted')
    await workshop.left
  })

  it('sends and receives messages over a socket', async () => {
    const socket = await sockets().talk({ params: { name: 'a/b' }, query: { mode: 'x' } })
    expect((await socket.messages.next()).value).toBe('a/b x')
    socket.send('ü')
    expect((await socket.messages.next()).value).toBe('ü')
    socket.send(new Uint8Array([0, 255]))
    expect((await socket.messages.next()).value).toEqual(new Uint8Array([0, 255]))
    socket.send('bye')
    expect(await socket.closed).toEqual({ code: 4001, reason: 'enough' })
    expect(await socket.messages.next()).toEqual({ done: true, value: undefined })
  })

  it('closes the socket when the reader leaves the loop or the signal aborts', async () => {
    const socket = await sockets().talk({ params: { name: 'a' } })
    for await (const _ of socket.messages) break
    await socket.closed
    const controller = new AbortController()
    const other = await sockets().talk({ params: { name: 'a' }, signal: controller.signal })
    controller.abort()
    await other.closed
    await expect(sockets().talk({ params: { name: 'a' }, signal: controller.signal })).rejects.toThrow('aborted')
  })

  it('throws SocketRefusedError when the server refuses a socket', async () => {
    await expect(sockets().refuse()).rejects.toThrow(SocketRefusedError)
  })
})
