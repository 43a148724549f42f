import type { JsonObject } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { scripts } from './dialects/dialect-scripts.ts'
import { dialectUpstream, streaming } from './dialects/dialect-upstream.ts'
import { openGateway, settled } from './open-gateway.ts'

const body = { model: 'up/big', ...scripts.messages.request }
const { answer, events } = scripts.chat

const usagesIn = (text: string): readonly JsonObject[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))
    .flatMap(({ message, usage }) => (message ?? { usage }).usage ?? [])

async function start(...given: Parameters<typeof dialectUpstream>) {
  const { provider } = await dialectUpstream(...given)
  const open = openGateway({ providers: [provider], retries: { retries: 0 } })
  const { secret } = await open.key()
  const ask = async (stream: boolean) => {
    const response = await open.send('/v1/messages', { as: secret, body: { ...body, stream } })
    return response.text()
  }
  return { open, ask }
}

describe('the usage of a translated message', () => {
  it('begins with an estimate of the input, and ends with the counts of the upstream, which are booked', async () => {
    const { open, ask } = await start('chat')
    const [first, last] = usagesIn(await ask(true))
    expect(first).toMatchObject({ input_tokens: expect.any(Number), output_tokens: 0, service_tier: null, speed: null })
    expect(first?.input_tokens).toBeGreaterThan(20)
    expect(last).toMatchObject({ input_tokens: 9, output_tokens: 5, server_tool_use: null })
    await settled()
    expect(open.records).toMatchObject([{ inputTokens: 9, outputTokens: 5, estimated: false }])
  })

  it('begins with the true count where the upstream answers as a whole', async () => {
    const { ask } = await start('responses', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(scripts.responses.answer))
    })
    expect(usagesIn(await ask(true))).toMatchObject([{ input_tokens: 9 }, { input_tokens: 9 }])
  })

  it('keeps the estimate where the upstream reports nothing, and books estimates', async () => {
    const silent = events.filter((event) => !event.includes('"usage"'))
    const { open, ask } = await start('chat', streaming(silent))
    const [first, last] = usagesIn(await ask(true))
    expect(last).toMatchObject({ input_tokens: null, cache_read_input_tokens: null, output_tokens: 0 })
    await settled()
    const [record] = open.records
    expect(record).toMatchObject({ status: 200, inputTokens: first?.input_tokens, estimated: true })
    expect(record?.outputTokens).toBeGreaterThan(0)
  })

  it('books estimates for a whole answer without usage', async () => {
    const { usage: _, ...silent } = answer
    const { open, ask } = await start('chat', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(silent))
    })
    expect(JSON.parse(await ask(false)).usage).toMatchObject({ input_tokens: 0, output_tokens: 0 })
    expect(open.records).toMatchObject([{ status: 200, estimated: true }])
    expect(open.records[0]?.inputTokens).toBeGreaterThan(0)
    expect(open.records[0]?.outputTokens).toBeGreaterThan(0)
  })

  it('becomes an estimate where the stream is cut', async () => {
    const { open, ask } = await start('chat', streaming(events.slice(0, 4), 'cut'))
    const [first] = usagesIn(await ask(true))
    await settled()
    expect(open.records).toMatchObject([{ partial: true, inputTokens: first?.input_tokens, estimated: true }])
  })
})

it('a message keeps its first count of input where the last event of its upstream has none', async () => {
  const sent = scripts.messages.events.map((event) =>
    event.replace('"usage":{"output_tokens":5}', '"usage":{"input_tokens":null,"output_tokens":5}'),
  )
  const { open, ask } = await start('messages', streaming(sent))
  expect(await ask(true)).toContain('"input_tokens":null')
  await settled()
  expect(open.records).toMatchObject([{ inputTokens: 9, outputTokens: 5, estimated: false }])
})
