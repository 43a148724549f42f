import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetchSockets } from '@trivium/fetch-adapter/node'
import {
  type AnsweredRequest,
  adminCheck,
  type Socket,
  type SocketRoute,
  type UserCaller,
} from '@trivium/http-contract'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type StorageRoutesOptions, storageSocketRoutes, storageSockets } from '../src/http/index.ts'
import type { Notice } from '../src/notices/notice.ts'
import { type OpenHttp, openHttp } from './open-http.ts'
import type { OpenStorage } from './open-storage.ts'

const authorization = `Basic ${btoa('admin:secret')}`
const path = storageSockets.openNotices.path

interface Answered {
  readonly status: number
  readonly body: string
}

async function openServer(open: OpenStorage, options: StorageRoutesOptions = {}) {
  const server = createServer()
  const routes = storageSocketRoutes(open.storage, { admin: ({ password }) => password === 'secret', ...options })
  const opened: Socket[] = []
  const watched = routes.map(
    (route): SocketRoute => ({
      ...route,
      accept: async (exchange) => {
        const verdict = await route.accept(exchange)
        if (!('open' in verdict)) return verdict
        const open = (socket: Socket) => {
          opened.push(socket)
          verdict.open(socket)
        }
        return { ...verdict, open }
      },
    }),
  )
  const attached = await fetchSockets(server, watched)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await attached.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo // a server on TCP
  const create = (query: string, headers: Readonly<Record<string, string>>) =>
    new WebSocket(`ws://127.0.0.1:${port}${path}${query}`, { headers })
  return {
    port,
    /** The server's side of each socket. */
    opened,
    /** Opens a socket that collects its messages. */
    async connect(query = '', headers: Readonly<Record<string, string>> = { authorization }) {
      const socket = create(query, headers)
      const messages: string[] = []
      socket.on('message', (data, isBinary) => messages.push(isBinary ? 'binary' : String(data)))
      await once(socket, 'open')
      return {
        socket,
        messages,
        async received(count: number) {
          while (messages.length < count) await once(socket, 'message')
          return messages.map((text): { readonly index: number; readonly id: string } => JSON.parse(text))
        },
        closed: async () => {
          const [code, reason] = await once(socket, 'close')
          return [code, String(reason)]
        },
      }
    },
    /** Sends an upgrade that is refused. */
    async refused(query = '', headers: Readonly<Record<string, string>> = { authorization }): Promise<Answered> {
      const socket = create(query, headers)
      socket.on('error', () => undefined)
      const [, response] = await once(socket, 'unexpected-response')
      let body = ''
      for await (const chunk of response.setEncoding('utf8')) body += chunk
      return { status: response.statusCode, body }
    },
  }
}

const publish = (open: OpenStorage, id: string, changes: Partial<Notice> = {}) =>
  open.storage.notices.publish({
    id,
    kind: 'split-done',
    at: open.clock.now(),
    svm: open.vol1.svm,
    volume: { uuid: open.vol1.uuid, name: open.vol1.name },
    path: 'a',
    ...changes,
  })

const listed = async (http: OpenHttp) => (await http.get('/api/support/events?fields=*')).body.records

describe('the socket of the notices', () => {
  it('sends each notice that is published from its opening on, as the list has it', async () => {
    const http = await openHttp()
    await publish(http, 'earlier')
    const server = await openServer(http)
    const client = await server.connect()
    await publish(http, 'n1', { limit: 'spaceHard', allowed: 9_007_199_254_740_993n, used: 7, percent: 80 })
    await publish(http, 'n2', { kind: 'enforcement-lost', reason: 'It is full: «ü».' })
    await client.received(2)
    expect(client.messages.map((text) => JSON.parse(text))).toEqual((await listed(http)).slice(1))
    expect(client.messages[0]).toContain('"allowed":9007199254740993')
  })

  it('sends stored notices after a number first, so that a client continues where it was cut off', async () => {
    const http = await openHttp()
    const server = await openServer(http)
    const first = await server.connect()
    await publish(http, 'n1')
    const [last] = await first.received(1)
    first.socket.terminate()
    for (let number = 2; number <= 150; number += 1) await publish(http, `n${number}`)
    const second = await server.connect(`?after=${last?.index}`)
    await publish(http, 'n151')
    const received = await second.received(150)
    expect(received.map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, index) => `n${index + 2}`))
  })

  it('refuses requests without the credentials of the admin, and of a page of another origin', async () => {
    const http = await openHttp()
    const answered: AnsweredRequest[] = []
    const server = await openServer(http, { onAnswered: (one) => answered.push(one) })
    const other = { authorization, origin: 'https://evil.example' }
    for (const headers of [{}, { authorization: 'Bearer wrong' }, other]) {
      const { status, body } = await server.refused('', headers)
      expect([status, JSON.parse(body).error.code]).toEqual([401, '6691623'])
    }
    expect((await server.refused('', { ...other, host: 'evil.example:1' })).status).toBe(401)
    const own = await server.connect('', { authorization, origin: `http://127.0.0.1:${server.port}` })
    own.socket.terminate()
    expect(answered.map(({ operation, status, refusal }) => [operation, status, refusal])).toEqual([
      ['openNotices', 401, 'missing_credentials'],
      ['openNotices', 401, 'wrong_password'],
      ['openNotices', 401, 'cross_site'],
      ['openNotices', 401, 'cross_site'],
      ['openNotices', 101, undefined],
    ])
  })

  it.each([
    '?after=-1',
    '?after=',
    '?after=1.5',
    '?after=x',
    '?after=1e3',
    '?after=9007199254740992',
    '?after=99999999999999999999',
    '?after=1&after=2',
  ])('returns 400 for %s', async (query) => {
    const { status, body } = await (await openServer(await openHttp())).refused(query)
    expect(status).toBe(400)
    expect(JSON.parse(body).error).toMatchObject({ target: 'after', message: expect.stringContaining('"after"') })
  })

  it('returns 400 for a parameter that does not exist', async () => {
    const { status, body } = await (await openServer(await openHttp())).refused('?from=1')
    expect([status, JSON.parse(body).error]).toEqual([
      400,
      { code: '262179', message: 'Unexpected argument "from".', target: 'from' },
    ])
  })

  it('accepts the largest number, and begins with the next notice', async () => {
    const http = await openHttp()
    const client = await (await openServer(http)).connect(`?after=${Number.MAX_SAFE_INTEGER}`)
    await publish(http, 'n1')
    expect(await client.received(1)).toMatchObject([{ id: 'n1' }])
  })

  it('ignores texts of the client, closes on binary messages, and on large ones', async () => {
    const http = await openHttp()
    const server = await openServer(http)
    const talking = await server.connect()
    for (let count = 0; count < 100; count += 1) talking.socket.send('hello')
    await publish(http, 'n1')
    expect(await talking.received(1)).toMatchObject([{ id: 'n1' }])
    talking.socket.send(new Uint8Array(3))
    expect(await talking.closed()).toEqual([1003, 'Binary messages are not supported'])
    const large = await server.connect()
    large.socket.send('x'.repeat(1025))
    expect((await large.closed())[0]).toBe(1009)
  })

  it('refuses more sockets than the host allows, until one is closed', async () => {
    const server = await openServer(await openHttp(), { noticeSockets: 2 })
    const [one] = [await server.connect(), await server.connect()]
    const { status, body } = await server.refused()
    expect([status, JSON.parse(body).error.message]).toEqual([
      503,
      'There are 2 sockets of notices, which is the most. Try again when one of them is closed.',
    ])
    one.socket.close()
    await one.closed()
    ;(await server.connect()).socket.terminate()
  })

  it('gives a user of the host at most 10 sockets', async () => {
    const server = await openServer(await openHttp(), {
      authorize: { openNotices: ({ headers }) => ({ type: 'user', id: String(headers['x-user']), volumes: 'all' }) },
    })
    for (let count = 0; count < 10; count += 1) await server.connect('', { 'x-user': 'ada' })
    const { status, body } = await server.refused('', { 'x-user': 'ada' })
    expect([status, JSON.parse(body).error.message]).toEqual([
      503,
      'You have 10 sockets of notices, which is the most for a user. Close one of them.',
    ])
    await server.connect('', { 'x-user': 'grace' })
  })

  it('never has more sockets than the host allows, when many clients connect together', async () => {
    const http = await openHttp()
    const server = await openServer(http, { noticeSockets: 3 })
    const codes = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers: { authorization } })
        socket.on('error', () => undefined)
        const refused = once(socket, 'unexpected-response').then(() => 503)
        const closed = once(socket, 'close').then(([code]): number => code)
        const served = once(socket, 'message').then(() => 101)
        return Promise.race([refused, closed, served, publishAfterOpening(http, socket)])
      }),
    )
    expect(codes.filter((code) => code === 101)).toHaveLength(3)
    expect(codes.every((code) => [101, 503, 1006, 1013].includes(code))).toBe(true)
  })

  it('closes with 1001 when the storage closes, and is then refused', async () => {
    const http = await openHttp()
    const server = await openServer(http)
    const client = await server.connect()
    const closed = client.closed()
    await http.storage.close()
    expect(await closed).toEqual([1001, 'The storage is shutting down'])
    expect((await server.refused()).status).toBe(503)
    expect(http.faults).toEqual([])
  })

  it('closes with 1013 when the store fails, and reports the fault', async () => {
    const repositories = memoryStorageRepositories()
    const { notices } = repositories
    let fails = false
    const list: typeof notices.list = async (request) => {
      if (fails) throw new Error('down')
      return notices.list(request)
    }
    const http = await openHttp({ repositories: { ...repositories, notices: { ...notices, list } }, lookSeconds: 60 })
    const reported: string[] = []
    const onFault = (_: unknown, __: unknown, id: string) => {
      reported.push(id)
      throw new Error('The report failed too')
    }
    const server = await openServer(http, { onFault })
    const client = await server.connect()
    const closed = client.closed()
    fails = true
    await publish(http, 'n1')
    expect(await closed).toEqual([1013, 'The store is unavailable'])
    expect((await server.refused()).status).toBe(503)
    expect(reported).toEqual(['openNotices', 'openNotices'])
  })
})

/** Publishes once the socket is open. Never resolves. */
async function publishAfterOpening(open: OpenStorage, socket: WebSocket): Promise<never> {
  await once(socket, 'open')
  await publish(open, crypto.randomUUID())
  return new Promise(() => {})
}

describe('a user of the host', () => {
  const user = (fields: Partial<UserCaller>): StorageRoutesOptions => ({
    authorize: { '*': () => ({ ...fields, type: 'user', id: 'ada' }) },
  })

  it('gets the notices of the own volumes alone', async () => {
    const http = await openHttp()
    const server = await openServer(http, user({ volumes: [http.vol2.uuid] }))
    const client = await server.connect('?after=0')
    await publish(http, 'of vol1')
    await http.storage.notices.publish({ id: 'of no volume', kind: 'test', at: http.clock.now() })
    await publish(http, 'of vol2', { volume: { uuid: http.vol2.uuid, name: 'vol2' } })
    expect((await client.received(1)).map(({ id }) => id)).toEqual(['of vol2'])
  })

  it('gets the notices of volumes that it gets later, and is closed with 1008 before the next notice when its access ends', async () => {
    const http = await openHttp()
    let caller: UserCaller | undefined = { type: 'user', id: 'ada', volumes: [http.vol1.uuid] }
    const server = await openServer(http, { authorize: { '*': () => caller } })
    const client = await server.connect()
    const inVolume2 = { volume: { uuid: http.vol2.uuid, name: 'vol2' } }
    await publish(http, 'hidden', inVolume2)
    await publish(http, 'n1')
    await client.received(1)
    caller = { ...caller, volumes: [http.vol1.uuid, http.vol2.uuid] }
    await publish(http, 'n2', inVolume2)
    expect((await client.received(2)).map(({ id }) => id)).toEqual(['n1', 'n2'])
    const closed = client.closed()
    caller = undefined
    await publish(http, 'n3')
    expect(await closed).toEqual([1008, 'The access has ended'])
    expect([client.messages.length, http.faults]).toEqual([2, []])
  })

  it('stays connected while others guess passwords from the same address', async () => {
    const http = await openHttp()
    const server = await openServer(http, { admin: adminCheck('secret') })
    const client = await server.connect()
    for (let guess = 0; guess < 8; guess += 1) await server.refused('', { authorization: `Bearer ${guess}` })
    expect((await server.refused()).status).toBe(429)
    await publish(http, 'n1')
    expect(await client.received(1)).toMatchObject([{ id: 'n1' }])
  })

  it('gets no notices without volumes', async () => {
    const http = await openHttp()
    const none = await (await openServer(http, user({}))).connect('?after=0')
    const all = await (await openServer(http, user({ volumes: 'all' }))).connect('?after=0')
    await publish(http, 'n1')
    await all.received(1)
    none.socket.close()
    await none.closed()
    expect(none.messages).toEqual([])
  })

  it.each([
    [['read'], 403],
    [['listNotices'], 403],
    [['openNotices'], 101],
  ] as const)('gets for the scopes %j the status %i', async (scopes, status) => {
    const server = await openServer(await openHttp(), user({ volumes: 'all', scopes: [...scopes] }))
    if (status === 101) (await server.connect()).socket.terminate()
    else expect((await server.refused()).status).toBe(status)
  })

  it('gets the notices of the SVM of a header alone, and 404 for one that does not exist', async () => {
    const volumes = [
      { name: 'vol1', backend: simulatedVolume() },
      { name: 'vol2', svm: 'svm2', backend: simulatedVolume() },
    ]
    const http = await openHttp({ volumes })
    const server = await openServer(http, { authorize: { openNotices: 'open' } })
    const client = await server.connect('', { 'x-dot-svm-name': 'svm1' })
    await publish(http, 'elsewhere', { svm: http.vol2.svm })
    await publish(http, 'here')
    expect((await client.received(1)).map(({ id }) => id)).toEqual(['here'])
    expect((await server.refused('', { 'x-dot-svm-name': 'absent' })).status).toBe(404)
  })
})

describe('a slow reader', () => {
  afterEach(() => void vi.useRealTimers())

  async function openFake(open: OpenStorage) {
    const [route]: readonly SocketRoute[] = storageSocketRoutes(open.storage, { admin: () => true })
    const verdict = await route?.accept({
      method: 'GET',
      params: {},
      query: 'after=0',
      headers: { authorization },
      remoteAddress: undefined,
      host: undefined,
      mount: { origin: 'http://localhost', path: '' },
      signal: new AbortController().signal,
    })
    if (!verdict || !('open' in verdict)) throw new Error('It was refused')
    const state = { sent: 0, bufferedBytes: 0, mostBuffered: 0, closed: undefined as number | undefined }
    const end = Promise.withResolvers<void>()
    const full = Promise.withResolvers<void>()
    const socket: Socket = {
      send: (message) => {
        state.sent += 1
        state.bufferedBytes += message.length
        state.mostBuffered = Math.max(state.mostBuffered, state.bufferedBytes)
        if (state.bufferedBytes > 2 ** 20) full.resolve()
      },
      get bufferedBytes() {
        return state.bufferedBytes
      },
      close: (code) => {
        state.closed ??= code
        end.resolve()
      },
      onMessage: () => {},
      onClose: () => {},
    }
    return { state, ended: end.promise, full: full.promise, open: () => verdict.open(socket) }
  }

  const fill = async (open: OpenStorage) => {
    for (let number = 1; number <= 300; number += 1) {
      await publish(open, `n${number}`, { reason: 'x'.repeat(10_000) })
    }
  }

  it('gets a close with 1013 after 10 seconds in which it reads too little, with at most 1 MiB and a message queued', async () => {
    const http = await openHttp()
    await fill(http)
    const slow = await openFake(http)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    slow.open()
    await vi.advanceTimersByTimeAsync(9000)
    await slow.full
    expect(slow.state.closed).toBeUndefined()
    await vi.advanceTimersByTimeAsync(2000)
    expect(slow.state.closed).toBe(1013)
    expect(slow.state.mostBuffered).toBeLessThan(2 ** 20 + 20_000)
  })

  it('gets a close with 1013 when it reads again after it had stopped, and the rest after its last notice', async () => {
    const http = await openHttp()
    for (let number = 1; number <= 300; number += 1) {
      await publish(http, `n${number}`, { reason: 'x'.repeat(100_000) })
    }
    const server = await openServer(http)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const slow = await server.connect('?after=0')
    slow.socket.pause()
    const [socket] = server.opened
    while (socket && socket.bufferedBytes <= 2 ** 20) {
      await vi.advanceTimersByTimeAsync(1)
      await new Promise(setImmediate)
    }
    await vi.advanceTimersByTimeAsync(11_000)
    vi.useRealTimers()
    const closed = slow.closed()
    slow.socket.resume()
    expect(await closed).toEqual([1013, 'The reader does not keep up'])
    const begun = slow.messages.map((text) => JSON.parse(text))
    expect(begun.length).toBeLessThan(300)
    const rest = await (await server.connect(`?after=${begun.at(-1)?.index}`)).received(300 - begun.length)
    expect([...begun, ...rest].map(({ id }) => id)).toEqual(Array.from({ length: 300 }, (_, index) => `n${index + 1}`))
  })

  it('gets everything when it reads slowly', async () => {
    const http = await openHttp()
    await fill(http)
    const slow = await openFake(http)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    slow.open()
    while (slow.state.sent < 300) {
      await vi.advanceTimersByTimeAsync(5000)
      slow.state.bufferedBytes = 0
    }
    expect(slow.state.closed).toBeUndefined()
    expect(slow.state.mostBuffered).toBeLessThan(2 ** 20 + 20_000)
  })
})

it.each([0, 10_001, Number.NaN])('refuses %s as the most sockets', async (noticeSockets) => {
  const { storage } = await openHttp()
  expect(() => storageSocketRoutes(storage, { noticeSockets })).toThrow(RangeError)
})
