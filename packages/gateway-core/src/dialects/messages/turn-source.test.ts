import { describe, expect, it } from 'vitest'
import { type ProviderError, ProviderFailure } from '../../providers/provider-error.ts'
import type { UpstreamStream } from '../answering/upstream-calls.ts'
import type { JsonObject } from '../dialect.ts'
import { messageEvents } from './message-events.ts'
import { turnStream } from './turn-source.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const message = (number: number, stop_reason: string, more: JsonObject = {}): JsonObject => ({
  id: `msg_${number}`,
  content: [{ type: 'text', text: `${number} ` }],
  stop_reason,
  usage: { input_tokens: 10, output_tokens: 1 },
  ...more,
})

/** Streams a text in pieces of a size. */
const events = (text: string, size = text.length): UpstreamStream => ({
  kind: 'events',
  headers: {},
  secrets: [],
  addsUsage: false,
  start: (receiver) => {
    const bytes = encoder.encode(text)
    for (let start = 0; start < bytes.length; start += size) receiver.data(bytes.subarray(start, start + size))
    receiver.end()
    return { resume: () => undefined, cancel: () => undefined }
  },
})

const body = { messages: [{ role: 'user', content: 'Hi' }] }

/** Reads a turn to its end. */
function read(first: UpstreamStream, later: readonly (UpstreamStream | Error)[] = [], maxEventBytes = 10_000) {
  const asked: JsonObject[] = []
  const faults: unknown[] = []
  const inputs: number[] = []
  const stream = turnStream(first, {
    body,
    ask: async (request) => {
      const next = later[asked.push(request) - 1]
      if (!next || next instanceof Error) throw next ?? new Error('It was asked too often')
      return next
    },
    maxEventBytes,
    onInputTokens: (tokens) => inputs.push(tokens),
    onFault: (fault) => faults.push(fault),
  })
  return new Promise<{ text: string; error?: ProviderError; asked: JsonObject[]; faults: unknown[]; inputs: number[] }>(
    (resolve, reject) => {
      if (stream.kind === 'whole') {
        reject(new Error('It is not a stream'))
        return
      }
      let text = ''
      stream.start({
        data: (bytes) => {
          text += decoder.decode(bytes)
          return true
        },
        end: () => resolve({ text, asked, faults, inputs }),
        failed: (error) => resolve({ text, error, asked, faults, inputs }),
      })
    },
  )
}

describe('the stream of a turn', () => {
  const paused = messageEvents(message(1, 'pause_turn', { container: { id: 'c_1' } }))
  const ended = messageEvents(message(2, 'end_turn'))

  it('has one start and one end, and the same events for pieces of any size', async () => {
    const { text, asked, inputs } = await read(events(paused), [events(ended)])
    expect(text.match(/^event: message_\w+/gm)).toEqual([
      'event: message_start',
      'event: message_delta',
      'event: message_delta',
      'event: message_stop',
    ])
    expect(text).toContain('"usage":{"input_tokens":20')
    expect(inputs).toEqual([10, 20])
    expect(asked).toEqual([
      {
        ...body,
        container: 'c_1',
        messages: [...body.messages, { role: 'assistant', content: [{ type: 'text', text: '1' }] }],
      },
    ])
    for (let size = 1; size < 40; size += 1) {
      expect((await read(events(paused, size), [events(ended, size)])).text).toBe(text)
    }
  })

  it('continues with whole messages where the upstream sends them instead of streams', async () => {
    const whole = (value: JsonObject): UpstreamStream => ({ kind: 'whole', value, headers: {}, secrets: [] })
    const streamed = await read(events(paused), [events(ended)])
    const first = whole(message(1, 'pause_turn', { container: { id: 'c_1' } }))
    expect((await read(first, [whole(message(2, 'end_turn'))])).text).toBe(streamed.text)
    const complete = whole(message(1, 'end_turn'))
    await expect(read(complete)).rejects.toThrow('It is not a stream')
  })

  it('never has an end where a round is cut', async () => {
    const cut = paused.slice(0, paused.indexOf('event: message_stop'))
    for (const streams of [[events(cut)], [events(paused), events(cut)]] as const) {
      const { text } = await read(streams[0], streams.slice(1))
      expect(text).not.toContain('message_stop')
    }
  })

  it('fails with the error of a later round, and reports faults', async () => {
    const failure = new ProviderFailure({ type: 'malformed', message: 'Busy today' })
    expect(await read(events(paused), [failure])).toMatchObject({ error: { message: 'Busy today' }, faults: [] })
    const fault = new Error('Broken')
    expect(await read(events(paused), [fault])).toMatchObject({ error: { type: 'malformed' }, faults: [fault] })
  })

  it('fails where a round is too large to be sent again', async () => {
    const large = messageEvents(message(1, 'pause_turn', { content: [{ type: 'text', text: 'x'.repeat(5000) }] }))
    const { error, asked } = await read(events(large), [events(ended)], 1000)
    expect(error).toMatchObject({ type: 'malformed' })
    expect(asked).toEqual([])
  })
})
