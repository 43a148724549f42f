import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import type { GatewayOptions, UsageRecord } from '@trivium/gateway-core'
import type { Dialect, Provider } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { hostileEvents } from './hostile-events.ts'
import { hostileFronts, lastEvent } from './hostile-fronts.ts'
import { type OpenGateway, openGateway, settled } from './open-gateway.ts'
import { rawServer, type UpstreamServer, upstreamServer } from './upstream-server.ts'

/** A provider that calls its upstream over HTTP, and the correct answers of that upstream. */
export interface HostileUpstreamCase {
  readonly name: string
  /** Creates the provider with the id `up`, the model `big` and at most {@link MAX_BYTES} in an answer. */
  readonly provider: (origin: string) => Provider
  /** A complete answer. */
  readonly completion: Readonly<Record<string, unknown>>
  /** The same answer as events, each with its blank line. Some of its text is not ASCII. */
  readonly stream: readonly string[]
  /** Returns the answer with these token counts. */
  readonly withUsage: (input: unknown, output: unknown) => Readonly<Record<string, unknown>>
  /** Answers in JSON that do not follow the protocol. */
  readonly malformedAnswers: readonly unknown[]
  /** The dialect of the upstream. @default 'chat' */
  readonly dialect?: Dialect
  /** A client of the upstream that is not the gateway's own reads events after the end, and no types of errors. @default false */
  readonly foreignClient?: true
}

export const MAX_BYTES = 2 ** 19

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const memory = (): number => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const head = (type: string, more = '', status = '200 OK') =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\n${more}\r\n`

/** A chunk of a chunked body. */
const inChunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

const CHUNKED = 'transfer-encoding: chunked\r\n'

/** Disables retries and circuits, so that each answer reaches the test. */
const withoutRetries: Partial<GatewayOptions> = { retries: { retries: 0 }, circuit: { failures: 1_000_000 } }

/** Writes the block again and again until the socket closes. */
function writeEndlessly(socket: Socket, block: Uint8Array): void {
  const more = () => {
    while (!socket.destroyed && socket.write(block));
  }
  socket.on('drain', more)
  more()
}

/** Where a stream is cut: after every byte, or at each boundary and inside its shortest event that is not only ASCII. */
export type Cuts = 'every byte' | 'every boundary'

/** Registers all tests. Providers with their own HTTP client are cut at every boundary, the shared client at every byte. */
export function describeHostileUpstream(given: HostileUpstreamCase, cuts: Cuts): void {
  const { connections, answers } = hostileUpstream(given, cuts)
  describe(`${given.name} before a hostile upstream`, () => {
    connections()
    answers()
  })
}

/** Registers the tests of answers, for a provider whose HTTP client is tested with another provider. */
export function describeHostileAnswers(given: HostileUpstreamCase, fronts: readonly Dialect[] = ['chat']): void {
  for (const front of fronts) {
    describe(`${given.name} before a hostile upstream, for a client of ${front}`, () =>
      hostileUpstream(given, 'every boundary', front).answers())
  }
}

interface HostileUpstream {
  /** Registers the tests of connections. */
  readonly connections: () => void
  /** Registers the tests of the contents of answers. */
  readonly answers: () => void
}

/** Returns the number of bytes of the stream before each cut. */
function cutLengths(head: number, events: readonly string[], cuts: Cuts): readonly number[] {
  const chunks = events.map((event) => inChunk(Buffer.from(event)))
  const whole = chunks.reduce((sum, { byteLength }) => sum + byteLength, head)
  const lengths = Array.from({ length: whole }, (_, length) => length)
  if (cuts === 'every byte') return lengths
  const shortest = events
    .filter((event) => Buffer.byteLength(event) > event.length)
    .sort((one, other) => one.length - other.length)[0]
  const chosen = new Set([0, 1])
  let from = head
  for (const [index, event] of events.entries()) {
    const to = from + (chunks[index]?.byteLength ?? 0)
    const begin = to - '\r\n'.length - Buffer.byteLength(event)
    // Near the ends of the chunk's size, of the event's last lines and of the chunk.
    for (const boundary of [from, begin, to - 4, to - 2]) {
      for (let length = boundary - 1; length <= boundary + 1; length += 1) chosen.add(length)
    }
    if (event === shortest) for (let length = from; length < to; length += 1) chosen.add(length)
    from = to
  }
  for (let length = whole - 4; length < whole; length += 1) chosen.add(length)
  return lengths.filter((length) => chosen.has(length))
}

function hostileUpstream(given: HostileUpstreamCase, cuts: Cuts, frontName: Dialect = 'chat'): HostileUpstream {
  const { completion, stream, dialect = 'chat' } = given
  const front = hostileFronts[frontName]
  const encodedCompletion = Buffer.from(JSON.stringify(completion))
  const wholeAnswer = Buffer.concat([
    Buffer.from(head('application/json', `content-length: ${encodedCompletion.byteLength}\r\n`)),
    encodedCompletion,
  ])
  const events = Buffer.from(stream.join(''))
  const streamHead = Buffer.from(head('text/event-stream', CHUNKED))
  const wholeStream = Buffer.concat([
    streamHead,
    ...stream.map((event) => inChunk(Buffer.from(event))),
    Buffer.from('0\r\n\r\n'),
  ])

  interface StartedGateway {
    readonly gateway: OpenGateway
    readonly upstream: UpstreamServer
    readonly key: string
    sendChat(fields?: Readonly<Record<string, unknown>>): Promise<Answer>
  }
  interface Answer {
    readonly status: number
    readonly type: string | null
    readonly text: string
    readonly record: UsageRecord | undefined
  }

  /** Opens a gateway whose upstream passes the socket of each request to `answer`. */
  async function startGateway(
    answer: (socket: Socket) => void,
    options: Partial<GatewayOptions> = {},
  ): Promise<StartedGateway> {
    const upstream = await rawServer(answer)
    const gateway = openGateway({ ...withoutRetries, ...options, providers: [given.provider(upstream.origin)] })
    const { secret: key } = await gateway.key({ rateLimit: 2000 })
    return { gateway, upstream, key, sendChat: (fields) => sendChat(gateway, key, fields) }
  }

  async function sendChat(
    gateway: OpenGateway,
    key: string,
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<Answer> {
    const before = gateway.records.length
    const body = { model: 'up/big', ...front.request, ...fields }
    const response = await gateway.send(front.path, { as: key, body })
    const text = await response.text()
    await settled()
    const { status, headers } = response
    return { status, type: headers.get('content-type'), text, record: gateway.records[before] }
  }

  /** Expects an error of the gateway itself, in its own form and words, with a usage record. */
  function expectRefused({ status, type, text, record }: Answer, ...statuses: readonly number[]): void {
    expect([text, statuses.includes(status)]).toEqual([text, true])
    expect(type).toContain('application/json')
    front.expectError(JSON.parse(text))
    expect(text).not.toMatch(/127\.0\.0\.1|ECONN|HPE_|node:|undici| at /)
    // Records have one status of overloaded upstreams, regardless of the client.
    expect(record).toMatchObject({ status: status === 529 ? 503 : status, outputTokens: 0 })
  }

  const isComplete = (text: string): boolean => front.isEnd(lastEvent(text))

  /** Expects that a stream was refused, has failed or is complete, and that its record says so. */
  function expectEnding(answer: Pick<Answer, 'status' | 'text' | 'record'>): void {
    const { status, text, record } = answer
    if (status !== 200) {
      front.expectError(JSON.parse(text))
      expect([text, status, record?.status]).toEqual([text, 502, 502])
      return
    }
    expect([text, isComplete(text) || front.isError(lastEvent(text))]).toEqual([text, true])
    expect([text, record?.partial]).toEqual([text, !isComplete(text)])
  }

  const streamed = { stream: true }
  const requestKinds = [
    ['complete', {}],
    ['streamed', streamed],
  ] as const

  /** Expects that complete and streamed requests fail, that little memory is used, and that connections are closed. */
  async function expectBoundedMemory(attack: (socket: Socket) => void): Promise<void> {
    let most = 0
    const { gateway, upstream, sendChat } = await startGateway(attack)
    const before = memory()
    // A garbage collection takes long on a busy machine. Most of the time must remain for the attack.
    const measure = () => {
      const begun = performance.now()
      most = Math.max(most, memory() - before)
      watch = setTimeout(measure, 500 + 10 * (performance.now() - begun))
    }
    let watch = setTimeout(measure, 500)
    try {
      for (const [, fields] of requestKinds) {
        const answer = await sendChat(fields)
        // Events of unknown types begin an answer.
        if (answer.status !== 200) expectRefused(answer, 500, 502)
        else expect([front.isError(lastEvent(answer.text)), answer.record?.partial]).toEqual([true, true])
      }
    } finally {
      clearTimeout(watch)
    }
    expect(most).toBeLessThan(2 ** 25)
    await upstream.drained()
    expect(gateway.faults).toEqual([])
  }

  function connections(): void {
    it.each(['a reset', 'an end'])('survives %s after every byte of an answer', { timeout: 300_000 }, async (how) => {
      let length = 0
      const { gateway, sendChat } = await startGateway((socket) => {
        const cut = () => (how === 'a reset' ? socket.resetAndDestroy() : socket.end())
        if (length === 0) cut()
        else socket.write(wholeAnswer.subarray(0, length), cut)
      })
      for (; length < wholeAnswer.length; length += 1) expectRefused(await sendChat(), 502)
      const whole = await sendChat()
      if (how === 'an end') expect([whole.status, whole.record?.status]).toEqual([200, 200])
      expect(gateway.faults).toEqual([])
    })

    it.each(requestKinds)('refuses compressed answers (%s)', async (_, fields) => {
      const bomb = gzipSync(Buffer.alloc(2 ** 26, 0x20))
      let encoding = 'content-encoding: gzip\r\n'
      const { sendChat } = await startGateway((socket) => {
        socket.write(head('application/json', `${encoding}content-length: ${bomb.length}\r\n`))
        socket.write(bomb)
      })
      const before = memory()
      expectRefused(await sendChat(fields), 502)
      encoding = ''
      expectRefused(await sendChat(fields), 502)
      expect(memory() - before).toBeLessThan(2 ** 24)
    })

    it.each([301, 302, 303, 307, 308])('follows no redirect (%i)', async (status) => {
      const internal = await upstreamServer((_, response) => response.end(encodedCompletion))
      const location = `location: ${internal.origin}/v1/chat/completions\r\ncontent-length: 0\r\n`
      const { sendChat } = await startGateway(
        (socket) => void socket.write(head('text/plain', location, `${status} Elsewhere`)),
      )
      for (const [, fields] of requestKinds) expectRefused(await sendChat(fields), 502)
      expect(internal.seen).toEqual([])
    })

    describe('with endless connections', () => {
      const spaces = Buffer.alloc(2 ** 16, 0x20)
      const attacks: Readonly<Record<string, (socket: Socket) => void>> = {
        'an answer': (socket) => {
          socket.write(head('application/json'))
          writeEndlessly(socket, spaces)
        },
        'an answer in chunks of a byte': (socket) => {
          socket.write(head('application/json', CHUNKED))
          writeEndlessly(socket, Buffer.from('1\r\n \r\n'.repeat(10_000)))
        },
        'a head': (socket) => {
          socket.write('HTTP/1.1 200 OK\r\nx-endless: ')
          writeEndlessly(socket, Buffer.alloc(2 ** 16, 0x61))
        },
        headers: (socket) => {
          socket.write('HTTP/1.1 200 OK\r\n')
          writeEndlessly(socket, Buffer.from('x-endless: 1\r\n'.repeat(1000)))
        },
        'an error': (socket) => {
          socket.write(head('application/json', CHUNKED, '500 Broken'))
          writeEndlessly(socket, inChunk(spaces))
        },
        'trailing headers': (socket) => {
          socket.write(`${head('application/json', CHUNKED)}2\r\n{}\r\n0\r\n`)
          writeEndlessly(socket, Buffer.from('x-endless: 1\r\n'.repeat(1000)))
        },
      }

      it.each(Object.entries(attacks))('stops endless input at little cost: %s', (_, attack) =>
        expectBoundedMemory(attack))

      it('ends endless interim answers by a timeout', async () => {
        const { sendChat, upstream } = await startGateway(
          (socket) => writeEndlessly(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'.repeat(1000))),
          { timeouts: { firstByteSeconds: 0.2, totalSeconds: 0.3 } },
        )
        for (const [, fields] of requestKinds) expectRefused(await sendChat(fields), 502, 504)
        await upstream.drained()
      })

      it('ends a silent connection by a timeout', async () => {
        const { sendChat, upstream } = await startGateway(
          (socket) => void socket.write(head('text/event-stream', CHUNKED)),
          {
            timeouts: { firstByteSeconds: 0.1, totalSeconds: 0.2 },
          },
        )
        for (const [, fields] of requestKinds) expectRefused(await sendChat(fields), 504)
        await upstream.drained()
      })
    })

    it('writes one usage record for each request, however the answer fails', async () => {
      const kinds = [
        (socket: Socket) => socket.resetAndDestroy(),
        (socket: Socket) => void socket.write(`${head('application/json', 'content-length: 2\r\n')}{}`),
        (socket: Socket) => void socket.end(wholeStream.subarray(0, wholeStream.length - 40)),
        (socket: Socket) => void socket.end(`${head('text/html')}<html>`),
      ]
      let number = 0
      const { gateway, sendChat } = await startGateway((socket) => kinds[number % kinds.length]?.(socket))
      for (number = 0; number < kinds.length; number += 1) for (const [, fields] of requestKinds) await sendChat(fields)
      expect(gateway.records).toHaveLength(kinds.length * requestKinds.length)
      expect(gateway.faults).toEqual([])
    })

    it('stops calling an upstream after several failures, and calls it again later', async () => {
      let broken = true
      let calls = 0
      const { sendChat } = await startGateway(
        (socket) => {
          calls += 1
          if (broken) socket.resetAndDestroy()
          else socket.write(wholeAnswer)
        },
        { circuit: { failures: 3, coolDownSeconds: 0.3 } },
      )
      for (let index = 0; index < 3; index += 1) expectRefused(await sendChat(), 502)
      expectRefused(await sendChat(), 503)
      expect(calls).toBe(3)
      broken = false
      let answer = await sendChat()
      while (answer.status === 503) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        answer = await sendChat()
      }
      expect([answer.status, calls]).toEqual([200, 4])
    })
  }

  function answers(): void {
    it.each(['a reset', 'an end'])(`survives %s after ${cuts} of a stream, and never reports it as complete`, {
      timeout: 300_000,
    }, async (how) => {
      let length = 0
      const { gateway, sendChat } = await startGateway((socket) => {
        const cut = () => (how === 'a reset' ? socket.resetAndDestroy() : socket.end())
        if (length === 0) cut()
        else socket.write(wholeStream.subarray(0, length), cut)
      })
      for (length of cutLengths(streamHead.byteLength, stream, cuts)) {
        const answer = await sendChat(streamed)
        if (answer.status !== 200) {
          expectRefused(answer, 502)
          continue
        }
        expectEnding(answer)
      }
      expect(gateway.faults).toEqual([])
    })

    it('accepts a stream in chunks of one byte', async () => {
      const { sendChat } = await startGateway((socket) => {
        socket.write(head('text/event-stream', CHUNKED))
        for (const byte of events) socket.write(inChunk(Uint8Array.of(byte)))
        socket.write('0\r\n\r\n')
      })
      const whole = await startGateway((socket) => void socket.write(wholeStream))
      const expected = await whole.sendChat(streamed)
      const { status, text, record } = await sendChat(streamed)
      expect([status, withoutIds(text), record?.outputTokens]).toEqual([
        200,
        withoutIds(expected.text),
        expected.record?.outputTokens,
      ])
    })

    it.each(requestKinds)('refuses an answer of another type (%s)', async (_, fields) => {
      const bodies = ['<html>An error</html>', '', 'null', '[]', '"text"', '{', '\u0000', '{"choices":{}}', 'data: {']
      let number = 0
      const { gateway, sendChat } = await startGateway((socket) => {
        const body = bodies[number % bodies.length] ?? ''
        const type = ['text/html', 'application/octet-stream', 'application/json', 'image/png'][number % 4] ?? ''
        number += 1
        socket.write(head(type, `content-length: ${Buffer.byteLength(body)}\r\n`) + body)
      })
      for (let index = 0; index < bodies.length * 4; index += 1) expectRefused(await sendChat(fields), 502)
      expect(gateway.faults).toEqual([])
    })

    it.each(requestKinds)('refuses or tolerates JSON that does not follow the protocol (%s)', async (_, fields) => {
      for (const malformed of given.malformedAnswers) {
        const body = JSON.stringify(malformed)
        const { gateway, sendChat } = await startGateway((socket) => {
          socket.write(head('application/json', `content-length: ${Buffer.byteLength(body)}\r\n`) + body)
        })
        const answer = await sendChat(fields)
        const { status, record } = answer
        if (status === 200 && 'stream' in fields) expectEnding(answer)
        else expect([body, status === 200 || status === 502, record?.status]).toEqual([body, true, status])
        expect([body, gateway.faults]).toEqual([body, []])
      }
    })

    it('refuses text that is not UTF-8, or passes it on unchanged', async () => {
      const broken = Buffer.from(encodedCompletion)
      const place = broken.findIndex((byte) => byte >= 0x80)
      broken[place] = 0xff
      const { gateway, sendChat } = await startGateway((socket) => {
        socket.write(
          Buffer.concat([Buffer.from(head('application/json', `content-length: ${broken.length}\r\n`)), broken]),
        )
      })
      expect([200, 502]).toContain((await sendChat()).status)
      expect(gateway.faults).toEqual([])
    })

    describe('with endless answers', () => {
      const attacks: Readonly<Record<string, (socket: Socket) => void>> = {
        'a line': (socket) => {
          socket.write(`${head('text/event-stream')}data: "`)
          writeEndlessly(socket, Buffer.alloc(2 ** 16, 0x61))
        },
        'a line in chunks of a byte': (socket) => {
          socket.write(`${head('text/event-stream', CHUNKED)}6\r\ndata: \r\n`)
          writeEndlessly(socket, Buffer.from('1\r\na\r\n'.repeat(10_000)))
        },
        'an event of many lines': (socket) => {
          socket.write(head('text/event-stream'))
          writeEndlessly(socket, Buffer.from('data:\n'.repeat(10_000)))
        },
        'a row of comments': (socket) => {
          socket.write(head('text/event-stream'))
          writeEndlessly(socket, Buffer.from(':\n\n'.repeat(10_000)))
        },
        'a row of empty lines': (socket) => {
          socket.write(head('text/event-stream'))
          writeEndlessly(socket, Buffer.alloc(2 ** 16, 0x0a))
        },
        'a row of pings': (socket) => {
          socket.write(head('text/event-stream'))
          writeEndlessly(socket, Buffer.from('event: ping\ndata: {"type":"ping"}\n\n'.repeat(10_000)))
        },
      }
      // The translation is the same for all dialects of clients: the memory is measured for one of them, and for relays.
      const measured = frontName === 'chat' || frontName === dialect ? Object.entries(attacks) : []

      it.each(measured)('stops endless input at little cost: %s', (_, attack) => expectBoundedMemory(attack))

      it('ends a silent stream by a timeout, and reports that', async () => {
        const { sendChat, upstream } = await startGateway(
          (socket) => void socket.write(head('text/event-stream') + stream.slice(0, -2).join('')),
          { timeouts: { idleSeconds: 0.1 } },
        )
        const { status, text, record } = await sendChat(streamed)
        expect([status, text]).toEqual([200, expect.stringContaining(front.timeout)])
        expect(record).toMatchObject({ status: 504, partial: true })
        await upstream.drained()
      })

      it('reports an error that is the first event of a stream', async () => {
        const { sendChat, upstream } = await startGateway((socket) => {
          const error = { type: 'overloaded_error', message: 'Busy today' }
          socket.write(
            `${head('text/event-stream')}event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`,
          )
        })
        const answer = await sendChat(streamed)
        expectRefused(answer, ...(given.foreignClient ? [502] : [503, 529]))
        expect(answer.text).toContain('Busy today')
        await upstream.drained()
      })

      it('ends an endless stream after its limit', async () => {
        const { sendChat, upstream } = await startGateway((socket) => {
          socket.write(head('text/event-stream'))
          writeEndlessly(socket, Buffer.from((stream[1] ?? stream[0] ?? '').repeat(100)))
        })
        const { status, text, record } = await sendChat(streamed)
        expect(status === 200 ? front.isError(lastEvent(text)) : status).toBe(status === 200 ? true : 502)
        expect(record).toMatchObject(status === 200 ? { partial: true } : { status })
        await upstream.drained()
      })
    })

    it.each([
      -1,
      1.5,
      1e300,
      2 ** 53,
      Number.MAX_SAFE_INTEGER,
      null,
      '7',
      [7],
      { n: 7 },
      true,
    ])('records no implausible usage: %j', async (count) => {
      const body = JSON.stringify(given.withUsage(count, count))
      const { gateway, sendChat } = await startGateway((socket) => {
        socket.write(head('application/json', `content-length: ${Buffer.byteLength(body)}\r\n`) + body)
      })
      const { status, record } = await sendChat()
      // Counts that are not numbers may make the whole answer unreadable.
      expect([200, 502]).toContain(status)
      for (const tokens of [record?.inputTokens, record?.outputTokens]) {
        expect([tokens, Number.isSafeInteger(tokens) && Number(tokens) >= 0 && Number(tokens) < 1e10]).toEqual([
          tokens,
          true,
        ])
      }
      expect(gateway.faults).toEqual([])
    })

    it('tolerates events in the wrong order and unknown lines between them', async () => {
      const orders = [
        [...stream].reverse(),
        stream.flatMap((event) => [event, event]),
        [...stream, ...stream],
        ...stream.map((dropped) => stream.filter((event) => event !== dropped)),
        stream.flatMap((event) => [event, ': between\n\n', 'id: 7\nretry: 1\n\n', 'event: unknown\ndata: {}\n\n']),
        stream.flatMap((event) => [event, 'data: {\n\n']),
        stream.flatMap((event) => [event, 'data: null\n\n', 'data: [1]\n\n', 'data: 7\n\n']),
        stream.map((event) => event.replaceAll('\n', '\r')),
        stream.map((event) => `\uFEFF${event}`),
      ]
      let order: readonly string[] = []
      const { gateway, upstream, sendChat } = await startGateway(
        (socket) => void socket.end(head('text/event-stream') + order.join('')),
      )
      for (order of orders) {
        expectEnding(await sendChat(streamed))
      }
      await upstream.drained()
      expect(gateway.faults).toEqual([])
    })

    /** Sends a request to an upstream with this answer. */
    async function askOnce(
      type: string,
      body: string | Uint8Array,
      fields: Readonly<Record<string, unknown>>,
      options?: Partial<GatewayOptions>,
    ): Promise<Answer> {
      const { gateway, upstream, sendChat } = await startGateway((socket) => {
        socket.write(head(type))
        socket.end(body)
      }, options)
      const answer = await sendChat(fields)
      await upstream.drained()
      expect(gateway.faults).toEqual([])
      return answer
    }
    hostileEvents({
      completion,
      stream,
      readsPastEnd: given.foreignClient === true,
      ask: (text, options) => askOnce('text/event-stream', text, streamed, options),
      askWhole: (text) => askOnce('application/json', text, {}),
      expectEnding,
    })
  }

  return { connections, answers }
}

/** Removes the ids, because some providers create new ones each time. */
const withoutIds = (text: string): string =>
  text.replace(/"(?:item_)?id":"[^"]*"|"created(?:_at)?":\d+|"completed_at":\d+/g, '')
