import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toProviderError } from '../../providers/provider-error.ts'
import { createDrains } from './drains.ts'
import { type StreamEnding, StreamRelay, type StreamRelayOptions } from './stream-relay.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const content = (text: string) =>
  `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}},"finish_reason":null}],"usage":null}\n\n`
const finish = (index = 0) => `data: {"id":"c1","choices":[{"index":${index},"delta":{},"finish_reason":"stop"}]}\n\n`
const usage = 'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}\n\n'
const done = 'data: [DONE]\n\n'

/** A relay between an upstream and a client that the test plays. */
function aRelay(options: Partial<StreamRelayOptions> = {}) {
  const source = { resume: vi.fn(), cancel: vi.fn() }
  const abort = vi.fn()
  const endings: StreamEnding[] = []
  const relay = new StreamRelay({
    choices: 1,
    stripUsage: false,
    keepAliveMs: 15_000,
    idleTimeoutMs: 60_000,
    maxEventBytes: 2 ** 21,
    secrets: [],
    drains: undefined,
    abort,
    onSettled: (ending) => endings.push(ending),
    ...options,
  })
  const opened = relay.open(() => source)
  opened.catch(() => undefined)
  const client = { text: '', ended: false, keepsUp: true }
  const attach = () =>
    relay.attach({
      write(chunk) {
        client.text += typeof chunk === 'string' ? chunk : decoder.decode(chunk)
        return client.keepsUp
      },
      end() {
        client.ended = true
      },
    })
  const send = (text: string) => relay.data(encoder.encode(text))
  return { relay, source, abort, endings, opened, client, attach, send }
}

/** What a source may say, at once, when its call is ended from this side. */
const cancelled = toProviderError({ type: 'cancelled', message: 'The request was cancelled' })

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('secrets in error events', () => {
  const error = 'event: error\ndata: {"error":{"message":"Bad key s3cret","type":"of s3cret","code":"s3cret"}}\n\n'

  it('reach no client as the first event', async () => {
    const { send, opened } = aRelay({ secrets: ['s3cret'] })
    send(error)
    await expect(opened).rejects.toMatchObject({
      error: { message: 'Bad key ***', upstreamType: 'of ***', code: '***' },
    })
  })

  it('reach no client inside the stream, between events that go as they are', async () => {
    const { send, opened, attach, client, relay, endings } = aRelay({ secrets: ['s3cret'] })
    send(content('one'))
    await opened
    attach()
    send(content('s3cret') + error + content('two'))
    relay.end()
    expect(client.text).toBe(content('one') + content('s3cret') + error.replaceAll('s3cret', '***') + content('two'))
    expect(endings).toMatchObject([{ type: 'upstream-failed', error: { message: 'Bad key ***' } }])
  })

  it('reach no client as the end of a stream', async () => {
    const { send, opened, attach, client, relay } = aRelay({ secrets: ['s3cret'] })
    send(content('one'))
    await opened
    attach()
    send(error.trimEnd())
    relay.end()
    expect(client.text).toBe(content('one') + error.replaceAll('s3cret', '***'))
  })
})

describe('before the first event', () => {
  it('holds everything back, comments too, until the event is known, then asks the upstream to wait', async () => {
    const { opened, client, send, attach, source } = aRelay()
    expect(send(': waiting\n\n')).toBe(true)
    expect(send('data: {"choices":')).toBe(true)
    expect(send('[]}\n\ndata: {"cho')).toBe(false)
    await opened
    expect(client.text).toBe('')
    attach()
    expect(client.text).toBe(': waiting\n\ndata: {"choices":[]}\n\n')
    expect(source.resume).toHaveBeenCalledOnce()
  })

  it.each([
    [
      'data: {"error":{"message":"Slow down","type":"requests","code":"rate_limit_exceeded"}}\n\n',
      { type: 'refused', status: 429, code: 'rate_limit_exceeded', message: 'Slow down' },
    ],
    ['data: {"error":{"message":"Gone","code":502}}\n\n', { type: 'refused', status: 502, message: 'Gone' }],
    [
      'event: error\ndata: {"type":"overloaded_error","message":"Busy"}\n\n',
      { type: 'refused', status: 503, message: 'Busy' },
    ],
    ['event: error\ndata: crashed\n\n', { type: 'refused', status: 500, message: 'crashed' }],
    [': note\n\ndata: {"error":"no"}\n\n', { type: 'refused', status: 500, message: 'no' }],
    ['data: <html>\n\n', { type: 'malformed' }],
  ])('an error is no stream: %j', async (text, error) => {
    const { opened, send, source, abort, endings } = aRelay()
    send(text)
    await expect(opened).rejects.toMatchObject({ error: { ...error, beforeFirstByte: true } })
    expect(source.cancel).toHaveBeenCalled()
    expect(abort).toHaveBeenCalled()
    expect(endings).toEqual([])
  })

  it.each([
    ['data: {"error":{"message":"Gone","code":502}}\n\n', { type: 'refused', status: 502 }],
    ['data: <html>\n\n', { type: 'malformed' }],
  ])('an error is told as it is where the source says that it was cancelled: %j', async (text, error) => {
    const { opened, send, relay, abort } = aRelay()
    abort.mockImplementation(() => relay.failed(cancelled))
    send(text)
    await expect(opened).rejects.toMatchObject({ error })
  })

  it.each(['', ': ping\n\n', 'data: {"choi'])('an upstream that ends has not answered: %j', async (text) => {
    const { opened, send, relay } = aRelay()
    send(text)
    relay.end()
    await expect(opened).rejects.toMatchObject({ error: { type: 'interrupted', beforeFirstByte: true } })
  })

  it('a broken connection is told as it is', async () => {
    const { opened, relay } = aRelay()
    relay.failed(toProviderError({ type: 'unreachable', message: 'No route' }))
    await expect(opened).rejects.toMatchObject({ error: { type: 'unreachable' } })
  })

  it('a client that leaves cancels the upstream', async () => {
    const { opened, relay, source } = aRelay({ drains: createDrains() })
    relay.leave()
    await expect(opened).rejects.toMatchObject({ error: { type: 'cancelled' } })
    expect(source.cancel).toHaveBeenCalled()
  })

  it('an upstream that says all at once during start is heard', async () => {
    const source = { resume: vi.fn(), cancel: vi.fn() }
    const { relay, attach, client, endings } = aRelay()
    await relay.open((receiver) => {
      receiver.data(encoder.encode(content('x') + done))
      receiver.end()
      return source
    })
    attach()
    expect(client).toMatchObject({ text: content('x') + done, ended: true })
    expect(endings).toEqual([{ type: 'complete' }])
  })
})

describe('a stream that ends', () => {
  it('with [DONE] is complete, without waiting for the connection', async () => {
    const { send, attach, client, endings, relay, source } = aRelay()
    send(content('Hel'))
    attach()
    send(content('lo') + finish() + usage + done)
    expect(client).toEqual({
      text: content('Hel') + content('lo') + finish() + usage + done,
      ended: true,
      keepsUp: true,
    })
    expect(endings).toEqual([{ type: 'complete' }])
    relay.end()
    vi.advanceTimersByTime(60_000)
    expect(source.cancel).not.toHaveBeenCalled()
    expect(relay.account).toMatchObject({ id: 'c1', model: 'm', usage: { total_tokens: 11 }, pieces: 2 })
  })

  it('is cut off when it lingers after [DONE]', () => {
    const { send, attach, source, endings } = aRelay()
    send(content('x') + done)
    attach()
    expect(source.cancel).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1_000)
    expect(source.cancel).toHaveBeenCalled()
    expect(endings).toHaveLength(1)
  })

  it('without [DONE] but with every finish reason gets its [DONE]', () => {
    const { send, attach, client, endings, relay } = aRelay({ choices: 2 })
    send(content('x') + finish(0))
    attach()
    send(finish(1))
    relay.end()
    expect(client.text).toBe(content('x') + finish(0) + finish(1) + done)
    expect(endings).toEqual([{ type: 'complete' }])
  })

  it.each([
    ['after the first event', content('x')],
    ['inside an event', `${content('x')}data: {"choices":[{"ind`],
    ['inside a character', `${content('x')}data: {"choices":[{"delta":{"content":"\u{1F511}`],
    ['with one of two answers finished', content('x') + finish(0)],
  ])('%s ends in an error event, after whole events only', (_, text) => {
    const { send, attach, client, endings, relay } = aRelay({ choices: 2 })
    send(text)
    attach()
    relay.end()
    const whole = text.slice(0, text.lastIndexOf('\n\n') + 2)
    expect(client.text.startsWith(whole)).toBe(true)
    const event = JSON.parse(client.text.slice(whole.length).replace('data: ', ''))
    expect(event).toEqual({
      error: {
        message: 'The upstream closed the stream before it was complete',
        type: 'server_error',
        param: null,
        code: 'upstream_incomplete',
      },
    })
    expect(client.ended).toBe(true)
    expect(client.text).not.toContain('[DONE]')
    expect(endings).toMatchObject([{ type: 'upstream-failed', error: { type: 'interrupted', beforeFirstByte: false } }])
  })

  it('without the last blank line is complete where the last event is', () => {
    const { send, attach, client, endings, relay } = aRelay()
    send(content('x'))
    attach()
    send(`${finish()}data: [DONE]`)
    relay.end()
    expect(client).toMatchObject({ text: content('x') + finish() + done, ended: true })
    expect(endings).toEqual([{ type: 'complete' }])
  })

  it('with a reset ends in an error event, also between the first event and the client', () => {
    const { send, attach, client, endings, relay } = aRelay()
    send(content('x'))
    relay.failed(toProviderError({ type: 'interrupted', message: 'The upstream broke off' }))
    attach()
    expect(client.text).toContain('"code":"upstream_incomplete"')
    expect(client.ended).toBe(true)
    expect(endings).toMatchObject([{ type: 'upstream-failed' }])
  })

  it("with the upstream's own error event passes that on and adds none", () => {
    const own = 'event: error\ndata: {"error":{"message":"Overloaded","type":"overloaded_error"}}\n\n'
    for (const tail of ['', done]) {
      const { send, attach, client, endings, relay } = aRelay()
      send(content('x'))
      attach()
      send(own + tail)
      relay.end()
      expect(client).toMatchObject({ text: content('x') + own + tail, ended: true })
      expect(endings).toMatchObject([{ type: 'upstream-failed', error: { status: 503, beforeFirstByte: false } }])
    }
  })

  it('with an event beyond the bound fails, without keeping more', () => {
    const { send, attach, client, source } = aRelay({ maxEventBytes: 1_000 })
    send(content('x'))
    attach()
    send(`data: ${'x'.repeat(2_000)}`)
    expect(client.text).toContain('"code":"upstream_malformed"')
    expect(source.cancel).toHaveBeenCalled()
  })

  it('says nothing after its end', () => {
    const { send, attach, client, relay, endings } = aRelay()
    send(content('x') + done)
    attach()
    const before = client.text
    send(content('y'))
    relay.end()
    relay.leave()
    relay.fail(toProviderError({ type: 'interrupted', message: 'x' }))
    expect(client.text).toBe(before)
    expect(endings).toEqual([{ type: 'complete' }])
  })
})

describe('a slow client', () => {
  it('pauses the upstream, which is not blamed for its silence then', () => {
    const { send, attach, client, source } = aRelay()
    send(content('a'))
    const control = attach()
    client.keepsUp = false
    expect(send(content('b'))).toBe(false)
    vi.advanceTimersByTime(600_000)
    expect(client.ended).toBe(false)
    expect(client.text).toBe(content('a') + content('b'))
    client.keepsUp = true
    source.resume.mockClear()
    control.resume()
    expect(source.resume).toHaveBeenCalledOnce()
    expect(send(content('c'))).toBe(true)
  })
})

describe('silence', () => {
  it('is filled with comments, and ends in an error once it is too long', () => {
    const { send, attach, client, endings, source } = aRelay()
    send(content('a'))
    attach()
    vi.advanceTimersByTime(14_999)
    expect(client.text).toBe(content('a'))
    vi.advanceTimersByTime(1)
    expect(client.text).toBe(`${content('a')}: keep-alive\n\n`)
    vi.advanceTimersByTime(30_000)
    expect(client.text).toBe(content('a') + ': keep-alive\n\n'.repeat(3))
    vi.advanceTimersByTime(15_000)
    expect(client.text).toContain('"code":"upstream_timeout"')
    expect(client.ended).toBe(true)
    expect(source.cancel).toHaveBeenCalled()
    expect(endings).toMatchObject([{ type: 'upstream-failed', error: { type: 'timed-out', phase: 'idle' } }])
  })

  it('is what a stream ended of, also where the source says that it was cancelled', () => {
    const { send, attach, client, endings, relay, abort } = aRelay()
    abort.mockImplementation(() => relay.failed(cancelled))
    send(content('a'))
    attach()
    vi.advanceTimersByTime(60_000)
    expect(client.text).toContain('"code":"upstream_timeout"')
    expect(endings).toMatchObject([{ type: 'upstream-failed', error: { type: 'timed-out', phase: 'idle' } }])
  })

  it('is broken by any byte of the upstream', () => {
    const { send, attach, client } = aRelay()
    send(content('a'))
    attach()
    for (let index = 0; index < 10; index += 1) {
      vi.advanceTimersByTime(14_000)
      send(': ')
    }
    expect(client.text).toBe(content('a'))
    expect(client.ended).toBe(false)
  })
})

describe('a client that leaves', () => {
  it('ends the upstream call at once', () => {
    const { send, attach, endings, source, abort, relay } = aRelay()
    send(content('a'))
    attach().close()
    expect(source.cancel).toHaveBeenCalled()
    expect(abort).toHaveBeenCalled()
    expect(endings).toEqual([{ type: 'client-left', drained: false }])
    expect(relay.account.pieces).toBe(1)
  })

  it('has left, whatever the source says of its end', () => {
    const { send, attach, endings, relay, abort } = aRelay()
    abort.mockImplementation(() => relay.failed(cancelled))
    send(content('a'))
    attach().close()
    expect(endings).toEqual([{ type: 'client-left', drained: false }])
  })

  it('before the sink was there, too', () => {
    const { send, relay, endings, source, attach } = aRelay()
    send(content('a'))
    relay.leave()
    expect(source.cancel).toHaveBeenCalled()
    expect(endings).toEqual([{ type: 'client-left', drained: false }])
    attach()
    expect(endings).toHaveLength(1)
  })

  it('may leave a stream that is heard to its end', () => {
    const { send, attach, endings, source, client, relay } = aRelay({ drains: createDrains() })
    send(content('a'))
    attach().close()
    expect(source.cancel).not.toHaveBeenCalled()
    expect(send(content('b'))).toBe(true)
    expect(endings).toEqual([])
    send(finish() + usage + done)
    expect(endings).toEqual([{ type: 'client-left', drained: true }])
    expect(client.text).toBe(content('a'))
    expect(relay.account.usage).toMatchObject({ total_tokens: 11 })
    relay.end()
  })

  it('is not drained beyond bytes, time or number', () => {
    const drains = createDrains({ maxBytes: 1_000, maxSeconds: 30, maxStreams: 2 })
    const bytes = aRelay({ drains })
    bytes.send(content('a'))
    bytes.attach().close()
    bytes.send(content('x'.repeat(1_000)))
    expect(bytes.endings).toEqual([{ type: 'client-left', drained: false }])

    const [time, second, third] = [aRelay({ drains }), aRelay({ drains }), aRelay({ drains })]
    for (const { send, attach } of [time, second, third]) {
      send(content('a'))
      attach().close()
    }
    expect(third.endings).toEqual([{ type: 'client-left', drained: false }])
    expect(time.endings).toEqual([])
    vi.advanceTimersByTime(30_000)
    expect(time.endings).toEqual([{ type: 'client-left', drained: false }])
    expect(time.source.cancel).toHaveBeenCalled()
    expect(second.endings).toHaveLength(1)
  })
})

describe('usage', () => {
  it('is taken out for a client that did not ask, and nothing else is', () => {
    const azure = 'data: {"choices":[],"prompt_filter_results":[]}\n\n'
    const withFinish =
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":3}}\n\n'
    const { send, attach, client, relay } = aRelay({ stripUsage: true })
    send(azure + content('a'))
    attach()
    send(withFinish + usage + done)
    expect(client.text).toBe(azure + content('a') + withFinish + done)
    expect(relay.account.usage).toMatchObject({ total_tokens: 11 })
  })

  it('is the last that came, not the sum', () => {
    const { send, relay } = aRelay()
    const running = (total: number) =>
      `data: {"choices":[{"index":0,"delta":{"content":"x"}}],"usage":{"total_tokens":${total}}}\n\n`
    send(running(1))
    send(running(2) + running(3))
    expect(relay.account.usage).toEqual({ total_tokens: 3 })
  })

  it("is found in Groq's own field", () => {
    const { send, relay } = aRelay()
    send('data: {"choices":[],"x_groq":{"usage":{"total_tokens":4}}}\n\n')
    expect(relay.account.usage).toEqual({ total_tokens: 4 })
  })
})

describe('any stream, however it is cut', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '鍵', '🔑', '{', 'usage":{'),
    maxLength: 30,
  })
  const ending = fc.constantFrom('\n', '\r\n', '\r')
  const line = fc.oneof(
    fc.tuple(text).map(([value]) => [content(value).trim()]),
    fc.constantFrom(
      [': ping'],
      ['event: message', finish().trim()],
      ['id: 1', content('y').trim()],
      ['data:'],
      ['retry: 10'],
    ),
    fc.constant([content('x'.repeat(100_000)).trim()]),
  )
  const events = fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), ending, fc.boolean())
    .map(
      ([lines, end, bom]) =>
        (bom ? '\uFEFF' : '') +
        [[content('first').trim()], ...lines, [usage.trim()], [done.trim()]]
          .map((parts) => parts.join(end) + end + end)
          .join(''),
    )

  it('arrives byte for byte, with its usage', () => {
    fc.assert(
      fc.property(events, fc.array(fc.nat(), { maxLength: 40 }), (stream, places) => {
        const bytes = encoder.encode(stream)
        const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b)
        const { relay, attach, client, endings } = aRelay()
        let attached = false
        for (const [index, start] of [0, ...cuts].entries()) {
          relay.data(bytes.slice(start, cuts[index] ?? bytes.length))
          if (relay.account.id !== undefined && !attached) {
            attached = true
            attach()
          }
        }
        relay.end()
        expect(client).toMatchObject({ text: stream.replace(/^\uFEFF/, ''), ended: true })
        expect(endings).toEqual([{ type: 'complete' }])
        expect(relay.account.usage).toMatchObject({ total_tokens: 11 })
      }),
      { numRuns: 200 },
    )
  })

  it('never ends well when it is cut before its end', () => {
    fc.assert(
      fc.property(events, fc.nat(), (stream, place) => {
        const bytes = encoder.encode(stream)
        const finished = encoder.encode(stream.slice(0, stream.indexOf('"finish_reason":"stop"'))).length
        const { relay, attach, client, opened } = aRelay()
        opened.catch(() => undefined)
        const cut = place % (stream.includes('"finish_reason":"stop"') ? finished : bytes.length - 16)
        relay.data(bytes.slice(0, cut))
        relay.end()
        attach()
        expect(client.text).not.toContain('[DONE]')
        if (relay.account.id !== undefined) expect(client.text).toContain('"code":"upstream_incomplete"')
      }),
      { numRuns: 200 },
    )
  })
})
