import type { Dialect } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { openGateway, settled } from '../open-gateway.ts'
import { dialects, scripts } from './dialect-scripts.ts'
import { dialectUpstream, streaming } from './dialect-upstream.ts'
import { readAnswer, readStream } from './read-client-answers.ts'

const pairs = dialects.flatMap((front) => dialects.map((upstream) => [front, upstream] as const))

const expected = {
  text: 'I look it up.',
  calls: [{ id: 'call_1', name: 'weather', input: { city: 'Paris' } }],
}

async function open(upstream: Dialect, answer?: Parameters<typeof dialectUpstream>[1]) {
  const server = await dialectUpstream(upstream, answer)
  const opened = openGateway({ providers: [server.provider], retries: { retries: 0 } })
  const { secret } = await opened.key()
  const ask = (front: Dialect, more: object = {}) =>
    opened.send(scripts[front].path, { as: secret, body: { model: 'up/big', ...scripts[front].request, ...more } })
  return { ...opened, opened, server, ask }
}

describe.each(pairs)('a client of %s over an upstream of %s', (front, upstream) => {
  it('gets the whole answer', async () => {
    const { ask, opened, server } = await open(upstream)
    const response = await ask(front)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-trivium-provider')).toBe('up')
    const body = await response.json()
    expect(readAnswer(front, body)).toEqual(expected)
    if (front === upstream)
      expect(body).toEqual({ ...scripts[front].answer, ...(front === 'messages' && { model: 'up/big' }) })
    expect(server.seen).toMatchObject([{ path: scripts[upstream].path }])
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({ model: 'big' })
    expect(opened.records).toMatchObject([{ status: 200, inputTokens: 9, outputTokens: 5, estimated: false }])
  })

  it('gets the streamed answer', async () => {
    const { ask, opened } = await open(upstream)
    const response = await ask(front, { stream: true })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const text = await response.text()
    expect(readStream(front, text)).toEqual(expected)
    const sent = scripts[front].events.join('')
    if (front === upstream && front === 'responses') expect(text).toBe(sent)
    if (front === upstream && front === 'messages') expect(text).toBe(sent.replace('"big-2026"', '"up/big"'))
    await settled()
    expect(opened.records).toMatchObject([{ status: 200, inputTokens: 9, outputTokens: 5, estimated: false }])
  })

  it('gets an error event where the stream is cut', async () => {
    const { events } = scripts[upstream]
    const { ask, opened } = await open(upstream, streaming(events.slice(0, 5), 'cut'))
    const text = await (await ask(front, { stream: true })).text()
    expect(text).toMatch(errorEvents[front])
    expect(text).not.toMatch(ends[front])
    if (front === 'responses') expect(sequenceOf(text)).toEqual(sequenceOf(text).map((_, index) => index))
    await settled()
    expect(opened.records).toMatchObject([{ status: 502, partial: true }])
  })

  it('gets an error event where the upstream ends the stream before its last event', async () => {
    const { events } = scripts[upstream]
    const { ask } = await open(upstream, streaming(events.slice(0, 5)))
    const text = await (await ask(front, { stream: true })).text()
    expect(text).toMatch(errorEvents[front])
    expect(text).not.toMatch(ends[front])
  })

  it('gets an error instead of a stream whose first event is one', async () => {
    const { ask, opened } = await open(upstream, streaming([scripts[upstream].error]))
    const response = await ask(front, { stream: true })
    expect(response.status).toBe(502)
    expect(JSON.stringify(await response.json())).toContain('Busy today')
    expect(opened.records).toMatchObject([{ status: 502 }])
  })

  it('gets the error of an upstream that fails late', async () => {
    const { events, error } = scripts[upstream]
    const { ask } = await open(upstream, streaming([...events.slice(0, 5), error]))
    const text = await (await ask(front, { stream: true })).text()
    expect(text).toContain('Busy today')
    expect(text).not.toMatch(ends[front])
  })
})

const sequenceOf = (text: string) => [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number))

const errorEvents = {
  chat: /data: \{"error":\{.*"code":"upstream_incomplete"\}\}\n\n$/,
  responses:
    /event: error\ndata: \{"type":"error",.*"code":"upstream_incomplete".*\}\n\nevent: response.failed\ndata: \{"type":"response.failed","sequence_number":\d+,"response":\{.*"status":"failed","error":\{"code":"server_error".*\n\n$/,
  messages: /event: error\ndata: \{"type":"error","error":\{"type":"api_error".*\},"request_id":"req_.*"\}\n\n$/,
}

const ends = { chat: /\[DONE\]/, responses: /response\.completed/, messages: /message_stop/ }
