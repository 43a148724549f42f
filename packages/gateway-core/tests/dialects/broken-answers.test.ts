import type { Dialect, JsonObject } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { openGateway, settled } from '../open-gateway.ts'
import { scripts } from './dialect-scripts.ts'
import { dialectUpstream } from './dialect-upstream.ts'

/** An upstream whose last choice has these members. */
async function open(last: JsonObject) {
  const head = { id: 'c1', created: 1, model: 'big' }
  const upstream = await dialectUpstream('chat', ({ body }, response) => {
    const isStream = JSON.parse(body).stream === true
    const message = { role: 'assistant', content: 'half an ans' }
    const chunks = [
      { ...head, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, ...last }] },
    ]
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(
      isStream
        ? `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
        : JSON.stringify({ ...head, object: 'chat.completion', choices: [{ index: 0, message, ...last }] }),
    )
  })
  const opened = openGateway({ providers: [upstream.provider], retries: { retries: 0 } })
  const { secret } = await opened.key()
  const ask = (front: Dialect, stream: boolean) =>
    opened.send(scripts[front].path, {
      as: secret,
      body: { model: 'up/big', ...scripts[front].request, tools: undefined, stream },
    })
  return { ...opened, ask }
}

const broken = [
  [{ finish_reason: 'insufficient_system_resource' }, 503],
  [{ finish_reason: 'network_error' }, 502],
  [{ finish_reason: 'error' }, 502],
  [{ finish_reason: 'abort' }, 502],
  [{ finish_reason: 'error', error: { code: 503, message: 'No capacity' } }, 503],
  [{ finish_reason: 'stop', error: { code: 502, message: 'The model broke' } }, 502],
] as const
const fronts = ['responses', 'messages'] as const

describe.each(fronts)('a client of %s over an upstream of chat that broke', (front) => {
  it.each(broken)('gets an error instead of a whole answer that ends with %j', async (last, status) => {
    const { ask, records } = await open(last)
    const response = await ask(front, false)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({
      error: { message: 'error' in last ? last.error.message : 'The upstream could not complete its answer.' },
    })
    expect(records).toMatchObject([{ status }])
  })

  it.each(broken)('gets an error event at the end of a stream that ends with %j', async (last, status) => {
    const { ask, records } = await open(last)
    const text = await (await ask(front, true)).text()
    expect(text).toContain('half an ans')
    expect(text).toContain('event: error')
    expect(text).not.toMatch(/message_stop|response\.completed/)
    await settled()
    expect(records).toMatchObject([{ status, partial: true, estimated: true }])
    expect(records[0]?.outputTokens).toBeGreaterThan(0)
  })

  it('gets no credential that the error of a choice repeats', async () => {
    const { ask } = await open({ finish_reason: 'error', error: { message: 'Bad key sk-secret', type: 'sk-secret' } })
    for (const stream of [false, true]) {
      const text = await (await ask(front, stream)).text()
      expect(text).toContain('Bad key ***')
      expect(text).not.toContain('sk-secret')
    }
  })
})

const endings = [
  ['eos', 'end_turn'],
  ['end_turn', 'end_turn'],
  ['stop_sequence', 'end_turn'],
  ['something new', 'end_turn'],
  ['function_call', 'tool_use'],
  ['tool_use', 'tool_use'],
  ['length', 'max_tokens'],
  ['max_tokens', 'max_tokens'],
  ['MAX_TOKENS', 'max_tokens'],
  ['model_length', 'max_tokens'],
  ['content-filter', 'refusal'],
  ['safety', 'refusal'],
  ['RECITATION', 'refusal'],
  ['refusal', 'refusal'],
] as const

it.each(endings)('reads the finish reason %s as %s', async (finish, stop) => {
  const { ask } = await open({ finish_reason: finish })
  const response = await ask('messages', false)
  expect(await response.json()).toMatchObject({ stop_reason: stop })
  expect(await (await ask('messages', true)).text()).toContain(`"stop_reason":"${stop}"`)
})

it('passes the reason on to clients of chat completions as it came', async () => {
  const { ask } = await open({ finish_reason: 'network_error' })
  const response = await ask('chat', false)
  expect(await response.json()).toMatchObject({ choices: [{ finish_reason: 'network_error' }] })
  expect(await (await ask('chat', true)).text()).toMatch(/"finish_reason":"network_error"[\s\S]*\[DONE\]/)
})
