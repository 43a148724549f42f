import type { ModelRoute, NewApiKey } from '@trivium/gateway-core'
import type { AccountId, Provider } from '@trivium/gateway-core/ports'
import { describe, expect, it, vi } from 'vitest'
import {
  completionText,
  delta,
  encodedAnswer,
  fakeProvider,
  finish,
  LiveStream,
  textStream,
  usage,
} from './fake-provider.ts'
import { ADMIN, expectFailure, type OpenGateway, type OpenGatewayOptions, openGateway } from './open-gateway.ts'

/** 1,000 nanodollars for a token of input, 10,000 for one of output. */
const prices = { 'up/*': { input: 1, output: 10 } }
/** What the answer of the fake upstream costs: 9 tokens of input, 2 of output. */
const ANSWER = 29_000

const openPriced = (options: OpenGatewayOptions = {}) => openGateway({ prices, ...options })

const budget = (most: string, period: 'day' | 'month' | 'total' = 'total'): Partial<NewApiKey> =>
  JSON.parse(`{"budget":{"spend":{"most":${Math.round(Number(most) * 1e9)},"period":"${period}"}}}`)

const inspect = async (open: OpenGateway, key: Parameters<OpenGateway['gateway']['budgets']['inspect']>[0]) => {
  await open.gateway.budgets.flush()
  return open.gateway.budgets.inspect(key)
}

const limit = { max_completion_tokens: 100 }

describe('budget of money', () => {
  it('reserves the most cost before a request, and settles the real one, which its record has', async () => {
    const live = new LiveStream()
    const open = openPriced({ providers: [fakeProvider({ stream: () => live.stream })] })
    const { secret, key } = await open.key(budget('0.01'))
    const running = open.chat(secret, { ...limit, stream: true, stream_options: { include_usage: true } })
    await live.started
    // At most 100 tokens of output, and the bytes of the request with what vendors add, but no less than the real ones.
    const { reservedCost, running: count } = await open.gateway.budgets.inspect(key)
    expect(reservedCost).toBeGreaterThan(1_000_000 + 500_000)
    expect(reservedCost).toBeLessThan(1_000_000 + 1_000_000)
    expect(count).toBe(1)
    live.send(delta('Hi'), finish, usage, '[DONE]')
    live.end()
    await (await running).text()
    expect(await inspect(open, key)).toMatchObject({ reservedCost: 0, spent: { total: ANSWER }, running: 0 })
    expect(open.records.at(-1)).toMatchObject({ cost: ANSWER, status: 200 })
    const me = await (await open.send('/v1/auth/me', { as: secret })).json()
    expect(me).toMatchObject({ max_budget: '0.01', budget_period: 'total', spent: '0.000029', running_requests: 0 })
  })

  it('reports what is spent with the key, the team, the user and to their holder', async () => {
    const live = new LiveStream()
    const open = openPriced({ providers: [fakeProvider({ stream: () => live.stream })] })
    const create = async (path: string, body: object) => (await open.send(path, { as: ADMIN, body })).json()
    const read = async (path: string, as = ADMIN) => (await open.send(path, { as })).json()
    const { team_id } = await create('/v1/teams', { name: 'red', max_budget: 1 })
    const { user_id } = await create('/v1/users', { username: 'ada' })
    const terms = { username: 'ada', team_id, max_budget: '0.01', budget_period: 'month', rate_limit: 100 }
    const { api_key: secret, key_id } = await create('/v1/auth/generate-key', terms)
    expect((await open.chat(secret, limit)).status).toBe(200)
    await open.gateway.budgets.flush()
    const spent = { spent: '0.000029', running_requests: 0 }
    const key = { ...spent, remaining_budget: '0.009971', tokens_used_minute: 11, tokens_used_day: 11 }
    expect(await read(`/v1/auth/keys/${key_id}`)).toMatchObject(key)
    expect(await read('/v1/auth/validate', secret)).toMatchObject(key)
    expect(await read(`/v1/teams/${team_id}`)).toMatchObject({ ...spent, remaining_budget: '0.999971' })
    expect(await read(`/v1/users/${user_id}`)).toMatchObject({ spent: '0', remaining_budget: null })
    expect(await read('/v1/auth/me', secret)).toMatchObject({
      ...key,
      team: { ...spent, remaining_budget: '0.999971' },
      user: { remaining_budget: null },
    })
    const running = open.chat(secret, { ...limit, stream: true })
    await live.started
    const { remaining_budget: left, ...during } = await read(`/v1/auth/keys/${key_id}`)
    expect(during).toMatchObject({ spent: '0.000029', running_requests: 1 })
    expect(Number(left)).toBeLessThan(0.0089)
    live.send(finish, '[DONE]')
    live.end()
    await (await running).text()
  })

  it('refuses a request that may cost more than is left, and names what is left', async () => {
    const open = openPriced()
    const { secret } = await open.key(budget('0.00172', 'day'))
    expect((await open.chat(secret, limit)).status).toBe(200)
    await open.gateway.budgets.flush()
    const refused = await open.chat(secret, { max_completion_tokens: 110 })
    const message = expect.stringMatching(
      /^The budget of this API key has \$0\.001691 left of \$0\.00172 a day\. This request may cost up to \$0\.00\d+\. The budget starts again at 2026-01-03T00:00:00Z\.$/,
    )
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(refused.headers.get('x-trivium-budget-reset')).toBe('2026-01-03T00:00:00Z')
    expect(refused.headers.has('retry-after')).toBe(false)
    await expectFailure(refused, 429, { type: 'insufficient_quota', code: 'budget_exceeded', message })
    open.time = Date.UTC(2026, 0, 2, 23, 59, 30)
    expect((await open.chat(secret, { max_completion_tokens: 110 })).headers.get('retry-after')).toBe('30')
    open.time = Date.UTC(2026, 0, 3)
    expect((await open.chat(secret, limit)).status).toBe(200)
  })

  it('refuses what it can never fit, without a time to wait', async () => {
    const open = openPriced()
    const { secret } = await open.key(budget('0.001'))
    const refused = await open.chat(secret, { max_completion_tokens: 1_000 })
    expect(refused.headers.has('retry-after')).toBe(false)
    await expectFailure(refused, 400, { code: 'cost_exceeds_limit', param: 'max_completion_tokens' })
  })

  it.each([
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
    ['/v1/responses', { input: 'Hi', store: false }],
  ])('limits the output of a request to %s without a limit by what is left', async (path, body) => {
    const up = fakeProvider()
    const open = openPriced({ providers: [up] })
    const { secret } = await open.key(budget('0.02'))
    expect((await open.send(path, { as: secret, body: { model: 'up/big', ...body } })).status).toBe(200)
    const { max_completion_tokens: most } = JSON.parse(up.calls[0]?.sent ?? '{}')
    // About half of 2 cents, at 10 dollars for a million.
    expect(most).toBeGreaterThan(900)
    expect(most).toBeLessThan(1_000)
  })

  it('leaves the bytes of a request that has a limit as they are', async () => {
    const up = fakeProvider()
    const open = openPriced({ providers: [up] })
    const { secret } = await open.key(budget('1'))
    const sent = '{ "model":"up/big","max_completion_tokens" : 5, "messages":[{"role":"user","content":"Hi"}] }'
    await open.send('/v1/chat/completions', {
      as: secret,
      body: sent,
      headers: { 'content-type': 'application/json' },
    })
    expect(up.calls[0]?.sent).toBe(sent.replace('up/big', 'big'))
  })

  it('names the model of a route without a price in the request log only', async () => {
    const smart: ModelRoute = { targets: [{ model: 'up/big' }], fallbacks: ['up/small'] }
    const up = fakeProvider({ models: ['big', 'small'] })
    const prices = { 'up/big': { input: 1, output: 10 } }
    const open = openGateway({ bundledPrices: false, providers: [up], models: { smart }, prices, requestLog: {} })
    const { secret } = await open.key(budget('1'))
    const response = await open.chat(secret, { model: 'smart', ...limit })
    const { error } = await response.clone().json()
    expect(error.message).toContain("'smart'")
    expect(error.message).not.toContain('up/small')
    await expectFailure(response, 400, { code: 'model_not_priced' })
    const { data } = await (await open.send('/v1/requests', { as: ADMIN })).json()
    expect(data[0]).toMatchObject({
      model: 'smart',
      error: { type: 'model-not-priced', message: "The price of the model 'up/small' is not known." },
    })
  })

  it('refuses a model without a price, by name', async () => {
    const open = openGateway({ bundledPrices: false })
    const { secret } = await open.key(budget('1'))
    await expectFailure(await open.chat(secret, limit), 400, {
      param: 'model',
      code: 'model_not_priced',
      message: expect.stringContaining("'up/big'"),
    })
    const free = await open.key()
    expect((await open.chat(free.secret, limit)).status).toBe(200)
  })

  it('refuses uploads of sound, whose cost is known only after them', async () => {
    const open = openPriced()
    const { secret } = await open.key(budget('1'))
    const body =
      '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\nup/big\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\r\n--b--\r\n'
    const refused = await open.send('/v1/audio/transcriptions', {
      as: secret,
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    await expectFailure(refused, 400, { code: 'cost_unbounded' })
  })

  it.each([-1000, 1.3, 0, 2])('refuses %d answers of an operation that has one, and reserves nothing', async (n) => {
    const up = fakeProvider()
    const open = openPriced({ providers: [up] })
    const { secret, key } = await open.key(budget('0.01'))
    const body = { model: 'up/big', input: 'Hi', store: false, max_output_tokens: 100, n }
    const refused = await open.send('/v1/responses', { as: secret, body })
    await expectFailure(refused, 400, { code: 'unsupported_parameter', param: 'n' })
    expect(await inspect(open, key)).toMatchObject({ reservedCost: 0, spent: { total: 0 }, running: 0 })
    expect(up.calls).toHaveLength(0)
    expect(open.faults).toEqual([])
  })

  it('sends the limit of text completions that it has reserved', async () => {
    const sent: string[] = []
    const provider: Provider = {
      id: 'up',
      models: async () => [{ id: 'big', kind: 'chat', ownedBy: 'up', created: 1 }],
      endpoints: {
        supports: (endpoint) => endpoint === 'completions',
        send: async ({ body }) => {
          if (body?.content instanceof Uint8Array) sent.push(new TextDecoder().decode(body.content))
          const usage = { prompt_tokens: 1, completion_tokens: 16, total_tokens: 17 }
          const bytes = new TextEncoder().encode(JSON.stringify({ choices: [], usage }))
          return { kind: 'whole', contentType: 'application/json', bytes }
        },
      },
    }
    const open = openPriced({ providers: [provider] })
    const { secret } = await open.key(budget('1'))
    const free = await open.key()
    for (const [as, own] of [[secret], [secret, { max_tokens: 5 }], [free.secret]] as const) {
      await open.send('/v1/completions', { as, body: { model: 'up/big', prompt: 'Hi', ...own } })
    }
    expect(sent.map((text) => JSON.parse(text).max_tokens)).toEqual([16, 5, undefined])
  })

  it('counts an answer that its client does not wait for as it was reserved', async () => {
    const up = fakeProvider({ complete: () => new Promise(() => undefined) })
    const open = openPriced({ providers: [up] })
    const { secret, key } = await open.key(budget('0.01'))
    const client = new AbortController()
    const answer = open.chat(secret, limit, { signal: client.signal }).catch(() => undefined)
    await up.untilCalled(1)
    const { reservedCost: reserved } = await open.gateway.budgets.inspect(key)
    client.abort()
    await answer
    await expect.poll(async () => (await inspect(open, key)).spent.total).toBe(reserved)
    expect(open.records.at(-1)).toMatchObject({ cost: reserved, status: 499, estimated: true, partial: true })
  })

  it('costs nothing where every upstream fails', async () => {
    const open = openPriced({ providers: [fakeProvider({ complete: () => Promise.reject(new Error('down')) })] })
    const { secret, key } = await open.key(budget('0.01'))
    await open.chat(secret, limit)
    expect(await inspect(open, key)).toMatchObject({ reservedCost: 0, spent: { total: 0 } })
  })

  it('holds for key, team and user together, and their records add up to it', async () => {
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>()
    const complete = () => gate.then(() => encodedAnswer())
    const open = openPriced({ providers: [fakeProvider({ complete })] })
    const create = async (path: string, body: object) => (await open.send(path, { as: ADMIN, body })).json()
    const { team_id } = await create('/v1/teams', { name: 'red', max_budget: '0.01', budget_period: 'month' })
    await create('/v1/users', { username: 'ada', max_budget: '0.0031' })
    const keys = await Promise.all(
      ['ada', 'ada', 'bob'].map(async (username) => {
        const { api_key } = await create('/v1/auth/generate-key', { username, team_id, rate_limit: 1000 })
        return String(api_key)
      }),
    )
    const [one = '', two = '', other = ''] = keys
    const running = [open.chat(one, limit), open.chat(other, limit)]
    await vi.waitFor(async () => {
      const state = await open.gateway.budgets.inspect({ id: `team:${team_id}` as AccountId }) // its id
      expect(state.running).toBe(2)
    })
    // Of the user's 0.0031, the running request has reserved more than a half.
    for (const as of [one, two]) {
      const message = expect.stringContaining('The budget of the user of this API key')
      await expectFailure(await open.chat(as, limit), 429, { code: 'budget_exceeded', message })
    }
    answer()
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
    await open.gateway.budgets.flush()
    open.time += 1
    const report = await open.send('/v1/usage?group_by=team', { as: ADMIN })
    expect((await report.json()).data).toEqual([expect.objectContaining({ team_id, requests: 2, cost: '0.000058' })])
  })

  it('reports the cost of an answer in a header', async () => {
    const open = openPriced({ providers: [fakeProvider({ complete: () => encodedAnswer(completionText) })] })
    const { secret } = await open.key(budget('1'))
    expect((await open.chat(secret, limit)).headers.get('x-trivium-cost')).toBe('0.000029')
  })

  it('adds up for any number of simultaneous streams, and never exceeds the limit', async () => {
    const text = [delta('Hi'), finish, usage].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    const open = openPriced({ providers: [fakeProvider({ stream: () => textStream(`${text}data: [DONE]\n\n`) })] })
    const { secret, key } = await open.key({ ...budget('0.02'), rateLimit: 100_000 })
    let admitted = 0
    for (let round = 0; round < 40; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => open.chat(secret, { ...limit, stream: true })))
      admitted += answers.filter(({ status }) => status === 200).length
      await Promise.all(answers.map((answer) => answer.text()))
      const { spent } = await inspect(open, key)
      expect(spent.total).toBeLessThanOrEqual(20_000_000)
    }
    expect(admitted).toBeGreaterThan(100)
    expect((await inspect(open, key)).spent.total).toBe(admitted * ANSWER)
  })
})
