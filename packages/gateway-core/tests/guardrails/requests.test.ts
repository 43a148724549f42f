import { moderationGuardrail, patternsGuardrail } from '@trivium/gateway-core'
import type { Dialect, Guardrail } from '@trivium/gateway-core/ports'
import { openAiProvider } from '@trivium/openai-provider'
import { describe, expect, it } from 'vitest'
import { dialects, scripts } from '../dialects/dialect-scripts.ts'
import { dialectUpstream } from '../dialects/dialect-upstream.ts'
import { ADMIN, expectFailure, expectMessageFailure, type OpenGateway, openGateway, settled } from '../open-gateway.ts'
import { upstreamServer } from '../upstream-server.ts'

const SECRET = 'sk-ant-api03-abcdefghijklmnop'
const names = ['secret', 'email', 'card'] as const

const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'save', arguments: `{"k":"${SECRET}","n":4111111111111111}` },
}

/** Requests with a secret in every place. */
const requests: Readonly<Record<Dialect, object>> = {
  chat: {
    messages: [
      { role: 'system', content: `Keep ${SECRET}` },
      { role: 'user', content: [{ type: 'text', text: `It is ${SECRET}` }] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: `{"saved":"${SECRET}"}` },
    ],
    tools: [{ type: 'function', function: { name: 'save', description: SECRET, parameters: { type: 'object' } } }],
    metadata: { [SECRET]: 'x' },
    user: 'jane@example.com',
  },
  responses: {
    instructions: `Keep ${SECRET}`,
    input: [
      { role: 'user', content: [{ type: 'input_text', text: `It is ${SECRET}` }] },
      { type: 'function_call', call_id: 'call_1', name: 'save', arguments: call.function.arguments },
      { type: 'function_call_output', call_id: 'call_1', output: SECRET },
    ],
    tools: [{ type: 'function', name: 'save', description: SECRET, parameters: { type: 'object' }, strict: null }],
  },
  messages: {
    max_tokens: 100,
    system: [{ type: 'text', text: `Keep ${SECRET}` }],
    messages: [
      { role: 'user', content: `It is ${SECRET}` },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1', name: 'save', input: { k: [SECRET], n: 4_111_111_111_111_111 } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: SECRET }] },
    ],
    tools: [{ name: 'save', description: SECRET, input_schema: { type: 'object' } }],
  },
}

const pairs = dialects.flatMap((front) => dialects.map((upstream) => [front, upstream] as const))

async function open(upstream: Dialect, guardrails: readonly Guardrail[], more: object = {}) {
  const server = await dialectUpstream(upstream)
  const opened = openGateway({ providers: [server.provider], retries: { retries: 0 }, guardrails, ...more })
  const { secret } = await opened.key()
  const ask = (front: Dialect, fields: object = requests[front]) =>
    opened.send(scripts[front].path, { as: secret, body: { model: 'up/big', ...fields } })
  return { opened, server, ask, secret }
}

describe.each(pairs)('a guarded request of %s for an upstream of %s', (front, upstream) => {
  it('reaches the upstream masked in every place', async () => {
    const { ask, server } = await open(upstream, [patternsGuardrail({ names })])
    expect((await ask(front)).status).toBe(200)
    const [sent] = server.seen
    expect(sent?.body).not.toMatch(/sk-ant|4111|jane/)
    expect(sent?.body).toContain('[SECRET]')
    expect(sent?.body).toMatch(/\[CARD\]/)
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ model: 'big' })
  })
})

describe('guardrails before a model', () => {
  it.each(dialects)('refuse a request of %s with its guardrail and category, and call no upstream', async (front) => {
    const guardrails = [patternsGuardrail({ id: 'no-secrets', names: ['secret'], action: 'block' })]
    const { ask, opened, server } = await open(front, guardrails)
    const findings: unknown[] = []
    opened.gateway.events.on('guardrail.blocked', (finding) => findings.push(finding))
    const response = await ask(front)
    const message = "The guardrail 'no-secrets' has refused this request: secret."
    if (front === 'messages') await expectMessageFailure(response, 400, 'invalid_request_error', message)
    else await expectFailure(response, 400, { type: 'invalid_request_error', code: 'guardrail_blocked', message })
    expect(server.seen).toEqual([])
    expect(findings).toMatchObject([{ guardrail: 'no-secrets', side: 'input', category: 'secret', model: 'up/big' }])
    expect(JSON.stringify(findings)).not.toContain(SECRET)
    expect(opened.records).toMatchObject([{ status: 400, model: 'up/big', inputTokens: 0, outputTokens: 0 }])
    expect(opened.faults).toEqual([])
  })

  it('count a refused request once, and a passed one once', async () => {
    const guardrails = [patternsGuardrail({ names: ['secret'], action: 'block' })]
    const { opened } = await open('chat', guardrails, { answerCache: {} })
    const { secret, key } = await opened.key({ username: 'bob', rateLimit: 10 })
    await opened.chat(secret)
    expect(await opened.remaining(key)).toBe(9)
    await opened.chat(secret, { messages: [{ role: 'user', content: SECRET }] })
    expect(await opened.remaining(key)).toBe(8)
    await opened.send('/v1/responses', { as: secret, body: { model: 'up/big', input: 'Hi' } })
    expect(await opened.remaining(key)).toBe(7)
  })

  it('check nothing for a model that the caller must not use', async () => {
    let checks = 0
    const guardrail: Guardrail = {
      id: 'own',
      on: ['input'],
      check() {
        checks += 1
        return { type: 'pass' }
      },
    }
    const { opened } = await open('chat', [guardrail])
    const { secret } = await opened.key({ username: 'bob', policy: { models: ['other'] } })
    expect((await opened.chat(secret)).status).toBe(403)
    expect(checks).toBe(0)
  })

  it('find texts in duplicate members', async () => {
    const { opened, server, secret } = await open('chat', [patternsGuardrail({ names })])
    const body = `{"model":"up/big","messages":[{"role":"user","content":"${SECRET}"}],"messages":[{"role":"user","content":"Hi"}]}`
    await opened.send('/v1/chat/completions', { as: secret, body, headers: { 'content-type': 'application/json' } })
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]?.body).not.toContain(SECRET)
    const hidden = `{"k":"${SECRET}","k":1}`
    const calling = { ...call, function: { name: 'save', arguments: hidden } }
    const messages = [
      { role: 'assistant', content: null, tool_calls: [calling] },
      { role: 'tool', tool_call_id: 'call_1', content: '' },
    ]
    await opened.chat(secret, { messages })
    expect(server.seen).toHaveLength(2)
    expect(server.seen[1]?.body).not.toContain(SECRET)
  })

  it('leave ids, names of tools, signatures and encoded images as they are', async () => {
    const card = '4111111111111111'
    const { opened, server, secret } = await open('messages', [patternsGuardrail({ names, words: ['save', 'user'] })])
    const messages = [
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: card } }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: card },
          { type: 'tool_use', id: `call_${card}`, name: 'save', input: { id: card } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${card}`, content: 'ok' }] },
    ]
    await opened.send('/v1/messages', { as: secret, body: { model: 'up/big', max_tokens: 9, messages } })
    const masked = JSON.parse(JSON.stringify(messages).replace(`{"id":"${card}"}`, '{"id":"[CARD]"}'))
    expect(JSON.parse(server.seen[0]?.body ?? '').messages).toEqual(masked)
  })

  it('make equal requests of the masked ones for the answer cache', async () => {
    const { opened, server, secret } = await open('chat', [patternsGuardrail({ names })], { answerCache: {} })
    for (const name of ['jane', 'john', 'ada']) {
      await opened.chat(secret, { messages: [{ role: 'user', content: `${name}@example.com` }] })
    }
    expect(server.seen).toHaveLength(1)
  })

  it('store the masked form of a response, and check what it continues', async () => {
    const { opened, server, secret } = await open('responses', [patternsGuardrail({ names })])
    const first = await opened.send('/v1/responses', { as: secret, body: { model: 'up/big', input: `I am ${SECRET}` } })
    const { id } = await first.json()
    await settled()
    const items = await (await opened.send(`/v1/responses/${id}/input_items`, { as: secret })).text()
    expect(items).toContain('I am [SECRET]')
    const conversation = await (
      await opened.send('/v1/conversations', {
        as: secret,
        body: { items: [{ type: 'message', role: 'user', content: `Again ${SECRET}` }] },
      })
    ).json()
    await opened.send('/v1/responses', {
      as: secret,
      body: { model: 'up/big', input: 'Continue', conversation: conversation.id },
    })
    expect(server.seen).toHaveLength(2)
    expect(server.seen.map(({ body }) => body).join()).not.toContain(SECRET)
  })

  it('answer with 503 where one does not respond in time, and pass the request where they may', async () => {
    const guardrail = (onFailure: 'refuse' | 'admit'): Guardrail => ({
      id: 'slow',
      on: ['input'],
      timeoutMs: 5,
      onFailure,
      check: () => new Promise(() => undefined),
    })
    const { opened, server, secret } = await open('chat', [guardrail('refuse')])
    await expectFailure(await opened.chat(secret), 503, { type: 'server_error', code: 'guardrail_unavailable' })
    expect(server.seen).toEqual([])
    expect(opened.faults).toMatchObject([{ message: "The guardrail 'slow' has not answered in time." }])
    const admitting = await open('chat', [guardrail('admit')])
    expect((await admitting.opened.chat(admitting.secret)).status).toBe(200)
  })

  it('show the message of the host', async () => {
    const guardrail: Guardrail = {
      id: 'own',
      on: ['input'],
      check: () => ({ type: 'block', category: 'tone', message: 'Ask politely.' }),
    }
    const { opened, secret } = await open('chat', [guardrail])
    await expectFailure(await opened.chat(secret), 400, { code: 'guardrail_blocked', message: 'Ask politely.' })
  })

  it('count what they find in a metric', async () => {
    const measured: unknown[] = []
    const metrics = { record: ({ name }: { name: string }, _: number, labels: object) => measured.push([name, labels]) }
    const { ask } = await open('chat', [patternsGuardrail({ names: ['secret'], action: 'report' })], { metrics })
    expect((await ask('chat')).status).toBe(200)
    expect(measured).toContainEqual([
      'trivium.gateway.guardrail.findings',
      { guardrail: 'patterns', side: 'input', action: 'reported' },
    ])
  })

  it.each([
    ['/v1/responses/input_tokens', { model: 'up/big', input: SECRET }],
    ['/v1/messages/count_tokens', { model: 'up/big', messages: [{ role: 'user', content: SECRET }] }],
    ['/v1/responses/compact', { model: 'up/big', input: SECRET }],
    ['/v1/embeddings', { model: 'up/text-embedding-3-small', input: ['Hi', SECRET] }],
    ['/v1/completions', { model: 'up/davinci-002', prompt: SECRET }],
    ['/v1/audio/speech', { model: 'up/tts-1', input: SECRET, voice: 'alloy' }],
    ['/v1/images/generations', { model: 'up/gpt-image-1', prompt: SECRET }],
    ['/v1/images/generations', { model: 'up/gpt-image-1', prompt: SECRET, stream: true }],
    ['/v1/rerank', { model: 'up/rerank-v3', query: 'Hi', documents: [SECRET] }],
    ['/v1/search?q=', undefined],
  ])('refuse a secret at %s', async (path, fields) => {
    const { opened, server, secret } = await openAll()
    const response =
      fields === undefined
        ? await opened.send(`/search?q=${SECRET}`, { as: secret })
        : await opened.send(path, { as: secret, body: { ...fields } })
    expect(await response.text()).toContain("The guardrail 'patterns' has refused this request: secret.")
    expect(response.status).toBe(400)
    expect(server.seen).toEqual([])
  })

  it('refuse what they cannot read, unless the host admits it', async () => {
    const closed = await openAll({ requestLog: {} })
    const form = new FormData()
    form.set('model', 'up/whisper-1')
    form.set('file', new File(['RIFF'], 'a.wav'))
    const upload = new Request('http://x', { method: 'POST', body: form })
    const bytes = new Uint8Array(await upload.arrayBuffer())
    const headers = { 'content-type': upload.headers.get('content-type') ?? '' }
    const send = (at: typeof closed) =>
      at.opened.send('/v1/audio/transcriptions', { as: at.secret, method: 'POST', body: bytes, headers })
    await expectFailure(await send(closed), 400, { code: 'guardrail_unchecked' })
    const tokens = await closed.opened.send('/v1/embeddings', {
      as: closed.secret,
      body: { model: 'up/text-embedding-3-small', input: [1, 2] },
    })
    await expectFailure(tokens, 400, { code: 'guardrail_unchecked' })
    const call = { requestId: 'r', caller: { type: 'admin' as const }, signal: new AbortController().signal }
    expect((await closed.opened.gateway.realtime.open(call, 'up/big'))._unsafeUnwrapErr()).toEqual({
      type: 'guardrail-unchecked',
    })
    expect(closed.server.seen).toEqual([])
    expect(await loggedBy(closed.opened)).toEqual([
      ['realtime', 'up/big', 400, 'guardrail-unchecked', null],
      ['embedding', 'up/text-embedding-3-small', 400, 'guardrail-unchecked', null],
      ['audio', 'up/whisper-1', 400, 'guardrail-unchecked', null],
    ])
    const admitting = await openAll({ uncheckedRequests: 'admit' })
    expect((await send(admitting)).status).toBe(200)
  })
})

async function openAll(more: object = {}) {
  const server = await upstreamServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"text":"Hello","usage":{"input_tokens":1,"output_tokens":1}}')
  })
  const provider = openAiProvider({
    id: 'up',
    baseUrl: `${server.origin}/v1`,
    apiKey: 'k',
    models: ['big', 'whisper-1', 'text-embedding-3-small', 'tts-1', 'rerank-v3', 'davinci-002', 'gpt-image-1'],
  })
  const opened = openGateway({
    providers: [provider],
    guardrails: [patternsGuardrail({ names: ['secret'], action: 'block' })],
    searchEngines: [],
    ...more,
  })
  const { secret } = await opened.key()
  return { opened, server, secret }
}

describe('guardrails after a model', () => {
  it('mask text completions, whole and streamed', async () => {
    const chunk = (text: string, reason: string | null = null) => ({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model: 'davinci-002',
      choices: [{ index: 0, text, logprobs: { tokens: [text] }, finish_reason: reason }],
    })
    const server = await upstreamServer(({ body }, response) => {
      const isStream = JSON.parse(body).stream === true
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      const events = [chunk('Key '), chunk(SECRET.slice(0, 9)), chunk(SECRET.slice(9)), chunk('', 'stop')]
      const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
      response.end(isStream ? `${text}data: [DONE]\n\n` : JSON.stringify(chunk(`Key ${SECRET}`, 'stop')))
    })
    const provider = openAiProvider({ id: 'up', baseUrl: `${server.origin}/v1`, apiKey: 'k', models: ['davinci-002'] })
    const opened = openGateway({ providers: [provider], guardrails: [patternsGuardrail({ names })] })
    const { secret } = await opened.key()
    for (const stream of [false, true]) {
      const body = { model: 'up/davinci-002', prompt: 'Hi', stream }
      const text = await (await opened.send('/v1/completions', { as: secret, body })).text()
      const texts = [...text.matchAll(/"text":"([^"]*)"/g)].map(([, piece]) => piece)
      expect(texts.join('')).toBe('Key [SECRET]')
      expect(text).not.toContain('sk-ant')
    }
  })
})

/** Returns what the request log says of each refusal, the newest first. */
async function loggedBy(opened: OpenGateway) {
  const { data } = await (await opened.send('/v1/requests', { as: ADMIN })).json()
  return data.map(({ operation, model, status, error }: Record<string, { type: string; message: string | null }>) => [
    ...[operation, model, status],
    ...[error?.type, error?.message],
  ])
}

describe('the request log', () => {
  it('names the guardrail that refused, and the category, without the text', async () => {
    const broken: Guardrail = {
      id: 'broken',
      on: ['input'],
      check(texts) {
        if (texts.some((text) => text.includes('break'))) throw new Error('It breaks.')
        return { type: 'pass' }
      },
    }
    const guardrails = [patternsGuardrail({ id: 'no-secrets', names: ['secret'], action: 'block' }), broken]
    const { opened } = await open('chat', guardrails, { requestLog: {} })
    const { secret } = await opened.key({ username: 'bob' })
    await opened.chat(secret, { messages: [{ role: 'user', content: SECRET }] })
    await opened.chat(secret, { messages: [{ role: 'user', content: 'break' }] })
    const message = "The guardrail 'no-secrets' has refused this request: secret."
    expect(await loggedBy(opened)).toEqual([
      ['chat', 'up/big', 503, 'guardrail-failed', "The guardrail 'broken' has not answered."],
      ['chat', 'up/big', 400, 'guardrail-blocked', message],
    ])
  })
})

describe('a moderation guardrail', () => {
  async function openModerated(
    options: Partial<Parameters<typeof moderationGuardrail>[0]> = {},
    judged?: Readonly<Record<string, unknown>>,
    more: object = {},
  ) {
    const holding = Promise.withResolvers<() => void>()
    const server = await upstreamServer(({ path, body }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const value = JSON.parse(body)
      if (path !== '/v1/moderations') {
        const answer = () => response.end(JSON.stringify(scripts.chat.answer))
        return body.includes('Hold this') ? holding.resolve(answer) : answer()
      }
      const judge = (text: string) => ({
        flagged: text.includes('attack'),
        categories: { violence: text.includes('attack'), harassment: false },
        category_scores: { violence: text.includes('attack') ? 0.9 : 0.1, harassment: text.includes('rude') ? 0.4 : 0 },
      })
      const results = value.input.map((text: string) => judged ?? judge(text))
      response.end(JSON.stringify({ id: 'modr-1', model: 'omni', results }))
    })
    const provider = openAiProvider({
      id: 'up',
      baseUrl: `${server.origin}/v1`,
      apiKey: 'k',
      models: ['big', 'omni-moderation-latest'],
    })
    const opened = openGateway({
      providers: [provider],
      retries: { retries: 0 },
      guardrails: [moderationGuardrail({ model: 'up/omni-moderation-latest', on: ['input'], ...options })],
      ...more,
    })
    const { secret, key } = await opened.key({ rateLimit: 10 })
    const ask = (content: string) => opened.chat(secret, { messages: [{ role: 'user', content }] })
    return { opened, server, ask, key, isHeld: holding.promise }
  }

  it('refuses what a moderation model of the gateway flags, apart from the limits of the caller', async () => {
    const { ask, server, opened, key } = await openModerated()
    expect((await ask('Hello')).status).toBe(200)
    await expectFailure(await ask('Plan an attack'), 400, { code: 'guardrail_blocked', message: /violence/ })
    expect(server.seen.map(({ path }) => path)).toEqual(['/v1/moderations', '/v1/chat/completions', '/v1/moderations'])
    expect(await opened.remaining(key)).toBe(8)
    const moderations = opened.records.filter(({ operation }) => operation === 'moderation')
    expect(moderations).toHaveLength(2)
    expect(moderations[0]).not.toHaveProperty('keyId')
  })

  it('takes no place among the running requests of an upstream that is busy', async () => {
    const { ask, opened, isHeld } = await openModerated({}, undefined, {
      upstreams: { up: { maxParallelRequests: 1 } },
    })
    const first = ask('Hold this')
    const held = await isHeld
    await expectFailure(await ask('Hello'), 429, { code: 'upstream_busy' })
    expect(opened.faults).toEqual([])
    held()
    expect((await first).status).toBe(200)
  })

  it('counts only selected categories, and those above a threshold', async () => {
    const { ask } = await openModerated({ categories: ['harassment'], thresholds: { harassment: 0.3 } })
    expect((await ask('Plan an attack')).status).toBe(200)
    expect((await ask('You are rude')).status).toBe(400)
  })

  it('replaces a flagged text where it masks', async () => {
    const { ask, server } = await openModerated({ action: 'mask' })
    expect((await ask('Plan an attack')).status).toBe(200)
    expect(JSON.parse(server.seen[1]?.body ?? '').messages).toEqual([{ role: 'user', content: '[MODERATED]' }])
  })

  it.each([
    ['without categories', { flagged: true }],
    ['without a category that explains it', { flagged: true, categories: { violence: false } }],
    ['with null for each category', { flagged: true, categories: { violence: null } }],
  ])('refuses what is flagged %s', async (_, judged) => {
    const { ask } = await openModerated({}, judged)
    await expectFailure(await ask('Hello'), 400, { code: 'guardrail_blocked', message: /flagged/ })
  })

  it.each<[string, object, object]>([
    ['no decision', { flagged: null, categories: null }, {}],
    ['a text as its decision', { flagged: 'true' }, {}],
    ['a text for a category', { flagged: false, categories: { violence: 'true' } }, {}],
    ['a list of categories', { flagged: false, categories: ['violence'] }, {}],
    ['no category that counts', { flagged: true, categories: { violence: true } }, { categories: ['hate'] }],
    ['no score that counts', { flagged: false, categories: { violence: false } }, { thresholds: { violence: 0.5 } }],
  ])('refuses where its model sends %s', async (_, judged, options) => {
    const { ask, server } = await openModerated(options, { ...judged })
    await expectFailure(await ask('Hello'), 503, { code: 'guardrail_unavailable' })
    expect(server.seen.map(({ path }) => path)).toEqual(['/v1/moderations'])
  })

  it('refuses where its model does not exist', async () => {
    const { ask } = await openModerated({ model: 'up/absent' })
    await expectFailure(await ask('Hello'), 503, { code: 'guardrail_unavailable' })
  })
})

describe('createGateway', () => {
  const own = (more: object): Guardrail => ({ id: 'own', on: ['input'], check: () => ({ type: 'pass' }), ...more })

  it.each([
    ['an id that is malformed', [own({ id: 'A B' })], /malformed 'id'/],
    ['an id twice', [own({}), own({})], /'own' twice/],
    ['no side', [own({ on: [] })], /'input', 'output'/],
    ['a time that is too long', [own({ timeoutMs: 100_000 })], /guardrails.own.timeoutMs/],
  ])('refuses guardrails with %s', (_, guardrails, message) => {
    expect(() => openGateway({ guardrails })).toThrow(message)
  })
})
