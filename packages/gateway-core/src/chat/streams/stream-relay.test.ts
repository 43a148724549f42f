import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toProviderError } from '../../providers/provider-error.ts'
import { chatProtocol } from './chat-protocol.ts'
import { createDrains } from './drains.ts'
import { type StreamEnding, StreamRelay, type StreamRelayOptions } from './stream-relay.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const content = (text: string) =>
  `data: {"id":"c1","model":"m","choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}},"finish_reason":null}],"usage":null}\n\n`
const finish = (index = 0) => `data: {"id":"c1","choices":[{"index":${index},"delta":{},"finish_reason":"stop"}]}\n\n`
const usage = 'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}\n\n'
const done = 'data: [DONE]\n\n'

/** A relay whose upstream and client are the test. */
function openRelay({
  choices = 1,
  stripUsage = false,
  ...options
}: Partial<StreamRelayOptions> & { readonly choices?: number; readonly stripUsage?: boolean } = {}) {
  const source = { resume: vi.fn(), cancel: vi.fn() }
  const abort = vi.fn()
  const endings: StreamEnding[] = []
  const protocol = chatProtocol({ choices, stripUsage })
  const relay = new StreamRelay({
    protocol,
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
  return { account: protocol.account, relay, source, abort, endings, opened, client, attach, send }
}

/** The error that a source may report immediately when its call is cancelled. */
const cancelled = toProviderError({ type: 'cancelled', message: 'The request was cancelled' })

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('stream relay with secrets in error events', () => {
  const error = 'event: error\ndata: {"error":{"message":"Bad key s3cret","type":"of s3cret","code":"s3cret"}}\n\n'

  it('replaces the secrets in an error that is the first event', async () => {
    const { send, opened } = openRelay({ secrets: ['s3cret'] })
    send(error)
    await expect(opened).rejects.toMatchObject({
      error: { message: 'Bad key ***', upstreamType: 'of ***', code: '***' },
    })
  })

  it('replaces the secrets in an error inside the stream, but not in other events', async () => {
    const { send, opened, attach, client, relay, endings } = openRelay({ secrets: ['s3cret'] })
    send(content('one'))
    await opened
    attach()
    send(content('s3cret') + error + content('two'))
    relay.end()
    expect(client.text).toBe(content('one') + content('s3cret') + error.replaceAll('s3cret', '***') + content('two'))
    expect(endings).toMatchObject([{ type: 'upstream-failed', error: { message: 'Bad key ***' } }])
  })

  it.each([
    [
      'its escapes',
      String.raw`{"error":{"message":"Bad key \u0073\u0033cret","type":"t"}}`,
      '{"message":"Bad key ***","type":"t"}',
    ],
    ['its escapes in a name', String.raw`{"error":{"message":"a","\u00733cret":1}}`, '{"message":"a","***":1}'],
  ])('replaces the secrets in an error that has them with %s', async (_, data, shown) => {
    const { send, opened, attach, client, endings, relay } = openRelay({ secrets: ['s3cret'] })
    send(content('one'))
    await opened
    attach()
    send(`event: error\ndata: ${data}\n\n`)
    relay.end()
    expect(client.text).toBe(`${content('one')}event: error\ndata: {"error":${shown}}\n\n`)
    expect(JSON.stringify(endings)).not.toContain('s3cret')
  })

  it('replaces secrets that JSON escapes', async () => {
    const { send, opened, attach, client, relay } = openRelay({ secrets: ['s"3/cret'] })
    send(content('one'))
    await opened
    attach()
    send(`${String.raw`data: {"error":{"message":"Bad key s\"3\/cret"}}`}\n\n`)
    relay.end()
    expect(client.text).toBe(`${content('one')}data: {"error":{"message":"Bad key ***"}}\n\n`)
  })

  it('passes an error without secrets on as it came, escapes included', async () => {
    const { send, opened, attach, client, relay } = openRelay({ secrets: ['s3cret'] })
    const escaped = `${String.raw`data: {"error": {"message":"Z\u00fcrich"}}`}\n\n`
    send(content('one'))
    await opened
    attach()
    send(escaped)
    relay.end()
    expect(client.text).toBe(content('one') + escaped)
  })

  it('hides an error with escapes that is nested too deeply to be encoded again', async () => {
    const { send, opened, attach, client, relay } = openRelay({ secrets: ['s3cret'] })
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    send(content('one'))
    await opened
    attach()
    send(`${String.raw`data: {"error":{"message":"\u00733cret","more":${deep}}}`}\n\n`)
    relay.end()
    expect(client.text).toBe(
      `${content('one')}data: {"type":"error","error":{"message":"The upstream reported an error."}}\n\n`,
    )
  })

  it('replaces the secrets in an error that ends the stream without a blank line', async () => {
    const { send, opened, attach, client, relay } = openRelay({ secrets: ['s3cret'] })
    send(content('one'))
    await opened
    attach()
    send(error.trimEnd())
    relay.end()
    expect(client.text).toBe(content('one') + error.replaceAll('s3cret', '***'))
  })
})

describe('stream relay before the first event', () => {
  it('holds back all bytes, comments included, until the event is complete, then pauses the upstream', async () => {
    const { opened, client, send, attach, source } = openRelay()
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
      { type: 'refused', status: 529, message: 'Busy' },
    ],
    ['event: error\ndata: crashed\n\n', { type: 'refused', status: 500, message: 'crashed' }],
    [': note\n\ndata: {"error":"no"}\n\n', { type: 'refused', status: 500, message: 'no' }],
    ['data: <html>\n\n', { type: 'malformed' }],
  ])('rejects with the error where it is the first event: %j', async (text, error) => {
    const { opened, send, source, abort, endings } = openRelay()
    send(text)
    await expect(opened).rejects.toMatchObject({ error: { ...error, beforeFirstByte: true } })
    expect(source.cancel).toHaveBeenCalled()
    expect(abort).toHaveBeenCalled()
    expect(endings).toEqual([])
  })

  it.each([
    ['data: {"error":{"message":"Gone","code":502}}\n\n', { type: 'refused', status: 502 }],
    ['data: <html>\n\n', { type: 'malformed' }],
  ])('rejects with the error of the upstream even where the source then reports a cancellation: %j', async (text, error) => {
    const { opened, send, relay, abort } = openRelay()
    abort.mockImplementation(() => relay.failed(cancelled))
    send(text)
    await expect(opened).rejects.toMatchObject({ error })
  })

  it.each(['', ': ping\n\n', 'data: {"choi'])('rejects where the upstream ends after %j', async (text) => {
    const { opened, send, relay } = openRelay()
    send(text)
    relay.end()
    await expect(opened).rejects.toMatchObject({ error: { type: 'interrupted', beforeFirstByte: true } })
  })

  it('rejects with the error of a broken connection', async () => {
    const { opened, relay } = openRelay()
    relay.failed(toProviderError({ type: 'unreachable', message: 'No route' }))
    await expect(opened).rejects.toMatchObject({ error: { type: 'unreachable' } })
  })

  it('cancels the upstream when the client disconnects', async () => {
    const { opened, relay, source } = openRelay({ drains: createDrains() })
    relay.disconnect()
    await expect(opened).rejects.toMatchObject({ error: { type: 'cancelled' } })
    expect(source.cancel).toHaveBeenCalled()
  })

  it('relays an upstream that sends all of its answer during the start', async () => {
    const source = { resume: vi.fn(), cancel: vi.fn() }
    const { relay, attach, client, endings } = openRelay()
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

describe('stream relay at the end of a stream', () => {
  it('completes with [DONE], without waiting for the connection to close', async () => {
    const { send, attach, client, endings, relay, source } = openRelay()
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

  it('cancels an upstream that does not close within a second after [DONE]', () => {
    const { send, attach, source, endings } = openRelay()
    send(content('x') + done)
    attach()
    expect(source.cancel).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1_000)
    expect(source.cancel).toHaveBeenCalled()
    expect(endings).toHaveLength(1)
  })

  it('adds a missing [DONE] where every answer has a finish reason', () => {
    const { send, attach, client, endings, relay } = openRelay({ choices: 2 })
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
  ])('ends a stream that is cut %s in an error event, after whole events only', (_, text) => {
    const { send, attach, client, endings, relay } = openRelay({ choices: 2 })
    send(text)
    attach()
    relay.end()
    const whole = text.slice(0, text.lastIndexOf('\n\n') + 2)
    expect(client.text.startsWith(whole)).toBe(true)
    const event = JSON.parse(client.text.slice(whole.length).replace('data: ', ''))
    expect(event).toEqual({
      error: {
        message: 'The upstream closed the stream before it was complete.',
        type: 'server_error',
        param: null,
        code: 'upstream_incomplete',
      },
    })
    expect(client.ended).toBe(true)
    expect(client.text).not.toContain('[DONE]')
    expect(endings).toMatchObject([{ type: 'upstream-failed', error: { type: 'interrupted', beforeFirstByte: false } }])
  })

  it('completes a stream without its last blank line where the last event is whole', () => {
    const { send, attach, client, endings, relay } = openRelay()
    send(content('x'))
    attach()
    send(`${finish()}data: [DONE]`)
    relay.end()
    expect(client).toMatchObject({ text: content('x') + finish() + done, ended: true })
    expect(endings).toEqual([{ type: 'complete' }])
  })

  it('ends in an error event where the upstream resets before the client is attached', () => {
    const { send, attach, client, endings, relay } = openRelay()
    send(content('x'))
    relay.failed(toProviderError({ type: 'interrupted', message: 'The connection was reset.' }))
    attach()
    expect(client.text).toContain('"code":"upstream_incomplete"')
    expect(client.ended).toBe(true)
    expect(endings).toMatchObject([{ type: 'upstream-failed' }])
  })

  it("passes on the upstream's own error event and adds none", () => {
    const own = 'event: error\ndata: {"error":{"message":"Overloaded","type":"overloaded_error"}}\n\n'
    for (const tail of ['', done]) {
      const { send, attach, client, endings, relay } = openRelay()
      send(content('x'))
      attach()
      send(own + tail)
      relay.end()
      expect(client).toMatchObject({ text: content('x') + own + tail, ended: true })
      expect(endings).toMatchObject([{ type: 'upstream-failed', error: { status: 529, beforeFirstByte: false } }])
    }
  })

  it('fails on an event that is larger than the limit, and cancels the upstream', () => {
    const { send, attach, client, source } = openRelay({ maxEventBytes: 1_000 })
    send(content('x'))
    attach()
    send(`data: ${'x'.repeat(2_000)}`)
    expect(client.text).toContain('"code":"upstream_malformed"')
    expect(source.cancel).toHaveBeenCalled()
  })

  it('writes nothing after the end of the stream', () => {
    const { send, attach, client, relay, endings } = openRelay()
    send(content('x') + done)
    attach()
    const before = client.text
    send(content('y'))
    relay.end()
    relay.disconnect()
    relay.fail(toProviderError({ type: 'interrupted', message: 'x' }))
    expect(client.text).toBe(before)
    expect(endings).toEqual([{ type: 'complete' }])
  })
})

describe('stream relay with a slow client', () => {
  it('pauses the upstream and does not count its silence meanwhile', () => {
    const { send, attach, client, source } = openRelay()
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

describe('stream relay during silence', () => {
  it('sends comments, and ends the stream in an error after the idle timeout', () => {
    const { send, attach, client, endings, source } = openRelay()
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

  it('reports the idle timeout even where the source then reports a cancellation', () => {
    const { send, attach, client, endings, relay, abort } = openRelay()
    abort.mockImplementation(() => relay.failed(cancelled))
    send(content('a'))
    attach()
    vi.advanceTimersByTime(60_000)
    expect(client.text).toContain('"code":"upstream_timeout"')
    expect(endings).toMatchObject([{ type: 'upstream-failed', error: { type: 'timed-out', phase: 'idle' } }])
  })

  it('counts any byte of the upstream as the end of the silence', () => {
    const { send, attach, client } = openRelay()
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

describe('stream relay whose client disconnects', () => {
  it('ends the upstream call immediately', () => {
    const { send, attach, endings, source, abort, relay } = openRelay()
    send(content('a'))
    attach().close()
    expect(source.cancel).toHaveBeenCalled()
    expect(abort).toHaveBeenCalled()
    expect(endings).toEqual([{ type: 'client-left', drained: false }])
    expect(relay.account.pieces).toBe(1)
  })

  it('reports the disconnection even where the source reports a cancellation', () => {
    const { send, attach, endings, relay, abort } = openRelay()
    abort.mockImplementation(() => relay.failed(cancelled))
    send(content('a'))
    attach().close()
    expect(endings).toEqual([{ type: 'client-left', drained: false }])
  })

  it('ends the upstream call where no sink was attached', () => {
    const { send, relay, endings, source, attach } = openRelay()
    send(content('a'))
    relay.disconnect()
    expect(source.cancel).toHaveBeenCalled()
    expect(endings).toEqual([{ type: 'client-left', drained: false }])
    attach()
    expect(endings).toHaveLength(1)
  })

  it('reads the upstream to its end where draining is enabled', () => {
    const { send, attach, endings, source, client, relay, account } = openRelay({ drains: createDrains() })
    send(content('a'))
    attach().close()
    expect(source.cancel).not.toHaveBeenCalled()
    expect(send(content('b'))).toBe(true)
    expect(endings).toEqual([])
    send(finish() + usage + done)
    expect(endings).toEqual([{ type: 'client-left', drained: true }])
    expect(client.text).toBe(content('a'))
    expect(account.usage).toMatchObject({ total_tokens: 11 })
    relay.end()
  })

  it('limits the bytes, the time and the number of drained streams', () => {
    const drains = createDrains({ maxBytes: 1_000, maxSeconds: 30, maxStreams: 2 })
    const bytes = openRelay({ drains })
    bytes.send(content('a'))
    bytes.attach().close()
    bytes.send(content('x'.repeat(1_000)))
    expect(bytes.endings).toEqual([{ type: 'client-left', drained: false }])

    const [time, second, third] = [openRelay({ drains }), openRelay({ drains }), openRelay({ drains })]
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

describe('usage in a relayed stream', () => {
  it('removes only the usage chunk, for a client that did not request it', () => {
    const azure = 'data: {"choices":[],"prompt_filter_results":[]}\n\n'
    const withFinish =
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"total_tokens":3}}\n\n'
    const { send, attach, client, account } = openRelay({ stripUsage: true })
    send(azure + content('a'))
    attach()
    send(withFinish + usage + done)
    expect(client.text).toBe(azure + content('a') + withFinish + done)
    expect(account.usage).toMatchObject({ total_tokens: 11 })
  })

  it('uses the last usage of the stream, not the sum', () => {
    const { send, account } = openRelay()
    const running = (total: number) =>
      `data: {"choices":[{"index":0,"delta":{"content":"x"}}],"usage":{"total_tokens":${total}}}\n\n`
    send(running(1))
    send(running(2) + running(3))
    expect(account.usage).toEqual({ total_tokens: 3 })
  })

  it("reads the usage from Groq's own field", () => {
    const { send, account } = openRelay()
    send('data: {"choices":[],"x_groq":{"usage":{"total_tokens":4}}}\n\n')
    expect(account.usage).toEqual({ total_tokens: 4 })
  })
})

describe('stream relay with any stream, cut at any position', () => {
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

  it('relays the stream byte for byte, and reads its usage', () => {
    fc.assert(
      fc.property(events, fc.array(fc.nat(), { maxLength: 40 }), (stream, places) => {
        const bytes = encoder.encode(stream)
        const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b)
        const { account, relay, attach, client, endings } = openRelay()
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
        expect(account.usage).toMatchObject({ total_tokens: 11 })
      }),
      { numRuns: 200 },
    )
  })

  it('ends with an error where the stream is cut before its end', () => {
    fc.assert(
      fc.property(events, fc.nat(), (stream, place) => {
        const bytes = encoder.encode(stream)
        const finished = encoder.encode(stream.slice(0, stream.indexOf('"finish_reason":"stop"'))).length
        const { relay, attach, client, opened } = openRelay()
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
