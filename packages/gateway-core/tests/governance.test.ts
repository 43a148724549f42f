import { readFileSync } from 'node:fs'
import { moderationGuardrail, patternsGuardrail } from '@trivium/gateway-core'
import { type Provider, ProviderFailure } from '@trivium/gateway-core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { completionText, delta, encodedAnswer, fakeProvider, finish, LiveStream, textStream } from './fake-provider.ts'
import { ADMIN, expectFailure, type OpenGateway, type OpenGatewayOptions, openGateway } from './open-gateway.ts'

const CHAT = '/v1/chat/completions'
const output = { max_completion_tokens: 100 }

/** An upstream with a chat model `big` and a moderation model `omni`. */
function moderatingProvider(isFlagged: (text: { readonly content: string }) => boolean): Provider {
  const chat = fakeProvider()
  return {
    ...chat,
    models: async (signal) => [
      ...(await chat.models(signal)),
      { id: 'omni', kind: 'moderation', ownedBy: 'up', created: 1_700_000_000 },
    ],
    endpoints: {
      supports: (endpoint) => endpoint === 'moderations',
      async send({ body }) {
        const input: unknown = body?.value?.input
        const texts: readonly unknown[] = Array.isArray(input) ? input : []
        const results = texts.map((text) => {
          const flagged = isFlagged({ content: String(text) })
          return { flagged, categories: { violence: flagged }, category_scores: { violence: flagged ? 0.9 : 0 } }
        })
        const bytes = new TextEncoder().encode(JSON.stringify({ results }))
        return { kind: 'whole', contentType: 'application/json', bytes }
      },
    },
  }
}

/** The actions of an administrator. */
class Administrator {
  readonly upstream = fakeProvider({ models: ['big', 'small', 'unpriced'] })
  readonly open: OpenGateway

  constructor(options: OpenGatewayOptions = {}) {
    this.open = openGateway({
      models: { fast: 'up/big', smart: { targets: [{ model: 'up/big' }], fallbacks: ['up/small'] } },
      providers: [this.upstream],
      prices: { 'up/big': { input: 1, output: 10 }, 'up/small': { input: 0.5, output: 1 } },
      ...options,
    })
  }

  async create(path: string, body: object) {
    const response = await this.open.send(path, { as: ADMIN, body })
    expect(response.status).toBe(200)
    return response.json()
  }

  async key(fields: object = {}): Promise<{ api_key: string; key_id: string; user_id: string }> {
    return this.create('/v1/auth/generate-key', { username: 'ada', rate_limit: 1000, ...fields })
  }

  async change(path: string, body: object) {
    const response = await this.open.send(path, { as: ADMIN, method: 'PATCH', body })
    expect(response.status).toBe(200)
    return response.json()
  }

  chat(as: string, model = 'up/big', fields: object = {}) {
    return this.open.send(CHAT, { as, body: { model, messages: [{ role: 'user', content: 'Hi' }], ...fields } })
  }

  /** Sends requests until one is refused, which is returned. */
  async chatUntilRefused(as: string) {
    for (let request = 0; request < 20; request += 1) {
      const answer = await this.chat(as, 'up/big', output)
      if (answer.status !== 200) return answer
      await this.open.gateway.budgets.flush()
    }
    throw new Error('No request was refused.')
  }

  /** Returns the lines of a report on all usage until now. */
  async report(query: string) {
    await this.open.gateway.budgets.flush()
    this.open.time += 1
    const { data } = await (await this.open.send(`/v1/usage?${query}`, { as: ADMIN })).json()
    return data
  }

  /** Returns the entries of the request log. */
  async logged(query: string) {
    const { data } = await (await this.open.send(`/v1/requests?${query}`, { as: ADMIN })).json()
    return data
  }

  async status(as: string, model?: string) {
    return (await this.chat(as, model)).status
  }
}

const rows: Readonly<Record<string, (admin: Administrator) => Promise<void>>> = {
  async 'a key uses only some models'(admin) {
    const { api_key: key } = await admin.key({ models: ['up/b*', 'fast'] })
    expect([await admin.status(key), await admin.status(key, 'fast'), await admin.status(key, 'up/small')]).toEqual([
      200, 200, 403,
    ])
  },

  async 'a key uses every model but one'(admin) {
    const { api_key: key } = await admin.key({ denied_models: ['*/small'] })
    expect([await admin.status(key), await admin.status(key, 'up/small')]).toEqual([200, 403])
  },

  async 'a denied model is not called by a route either'(admin) {
    const { api_key: key } = await admin.key({ denied_models: ['up/big'] })
    const answer = await admin.chat(key, 'smart')
    expect(answer.status).toBe(200)
    expect(admin.open.records.at(-1)).toMatchObject({ model: 'smart', status: 200 })
    await expectFailure(await admin.chat(key, 'fast'), 403, { code: 'model_not_allowed' })
  },

  async 'a key lists only the models that it may use'(admin) {
    const { api_key: key } = await admin.key({ models: ['up/small'] })
    const { data } = await (await admin.open.send('/v1/models', { as: key })).json()
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['smart', 'up/small'])
    expect(await admin.status(key, 'smart')).toBe(200)
  },

  async 'a key only embeds'(admin) {
    const { api_key: key } = await admin.key({ endpoints: ['createEmbedding'] })
    await expectFailure(await admin.chat(key), 403, { code: 'endpoint_not_allowed' })
    const embedded = await admin.open.send('/v1/embeddings', { as: key, body: { model: 'up/big', input: 'Hi' } })
    // The provider of the test has no embeddings.
    await expectFailure(embedded, 404, { code: 'model_not_found' })
  },

  async 'a key works only from the office'(admin) {
    const { api_key: key } = await admin.key({ ip_ranges: ['203.0.113.0/24', '2001:db8::/32'] })
    const from = async (remoteAddress?: string) =>
      (await admin.open.send('/v1/models', { as: key, remoteAddress })).status
    expect([await from('203.0.113.9'), await from('2001:db8::9'), await from('198.51.100.1'), await from()]).toEqual([
      200, 200, 403, 403,
    ])
  },

  async 'a key pauses, and works again later'(admin) {
    const { api_key: key, key_id: id } = await admin.key()
    await admin.change(`/v1/auth/keys/${id}`, { disabled: true })
    await expectFailure(await admin.chat(key), 403, { code: 'api_key_disabled' })
    await admin.change(`/v1/auth/keys/${id}`, { disabled: false })
    expect(await admin.status(key)).toBe(200)
  },

  async 'a key expires later than planned'(admin) {
    const { api_key: key, key_id: id } = await admin.key({ expires_in_days: 1 })
    admin.open.time += 2 * 86_400_000
    expect(await admin.status(key)).toBe(401)
    await admin.change(`/v1/auth/keys/${id}`, { expires_at: '2027-01-01T00:00:00Z' })
    expect(await admin.status(key)).toBe(200)
  },

  async 'a key moves to another team'(admin) {
    const from = await admin.create('/v1/teams', { name: 'red', models: [] })
    const to = await admin.create('/v1/teams', { name: 'blue' })
    const { api_key: key, key_id: id } = await admin.key({ team_id: from.team_id })
    expect(await admin.status(key)).toBe(403)
    await admin.change(`/v1/auth/keys/${id}`, { team_id: to.team_id })
    expect(await admin.status(key)).toBe(200)
  },

  async 'all keys of a team share a rate limit'(admin) {
    const { team_id } = await admin.create('/v1/teams', { name: 'red', rate_limit: 2 })
    const [one, two] = [await admin.key({ team_id }), await admin.key({ team_id, username: 'bob' })]
    expect([await admin.status(one.api_key), await admin.status(two.api_key)]).toEqual([200, 200])
    expect([await admin.status(one.api_key), await admin.status(two.api_key)]).toEqual([429, 429])
  },

  async 'all keys of a person share a rate limit'(admin) {
    await admin.create('/v1/users', { username: 'ada', rate_limit: 2 })
    const [one, two, other] = [await admin.key(), await admin.key(), await admin.key({ username: 'bob' })]
    expect([await admin.status(one.api_key), await admin.status(two.api_key)]).toEqual([200, 200])
    expect([await admin.status(one.api_key), await admin.status(other.api_key)]).toEqual([429, 200])
  },

  async 'a team is limited to some models, with all its keys'(admin) {
    const { team_id } = await admin.create('/v1/teams', { name: 'red', models: ['up/small'] })
    const { api_key: key } = await admin.key({ team_id, models: ['up/*'] })
    expect([await admin.status(key), await admin.status(key, 'up/small')]).toEqual([403, 200])
  },

  async 'a team stops immediately, with all its keys'(admin) {
    const { team_id } = await admin.create('/v1/teams', { name: 'red' })
    const [one, two] = [await admin.key({ team_id }), await admin.key({ team_id })]
    expect(await admin.status(one.api_key)).toBe(200)
    await admin.change(`/v1/teams/${team_id}`, { disabled: true })
    expect([await admin.status(one.api_key), await admin.status(two.api_key)]).toEqual([403, 403])
  },

  async 'a team does not lose its limits by mistake'(admin) {
    const { team_id } = await admin.create('/v1/teams', { name: 'red', rate_limit: 1 })
    const { key_id } = await admin.key({ team_id })
    const remove = () => admin.open.send(`/v1/teams/${team_id}`, { as: ADMIN, method: 'DELETE' })
    await expectFailure(await remove(), 409, { code: 'team_in_use' })
    await admin.open.send(`/v1/auth/keys/${key_id}`, { as: ADMIN, method: 'DELETE' })
    expect((await remove()).status).toBe(200)
  },

  async 'the head of a team issues its keys'(admin) {
    const { user_id } = await admin.key()
    const { team_id } = await admin.create('/v1/teams', { name: 'red', owners: [user_id], models: ['up/small'] })
    const head = await admin.key({ team_id })
    const issued = await admin.open.send('/v1/auth/generate-key', { as: head.api_key, body: { username: 'carol' } })
    const { api_key: key } = await issued.json()
    expect([await admin.status(key), await admin.status(key, 'up/small')]).toEqual([403, 200])
  },

  async 'the head of a team reaches no other team'(admin) {
    const other = await admin.key()
    const { team_id } = await admin.create('/v1/teams', { name: 'red', owners: [other.user_id] })
    const head = await admin.key({ team_id })
    const path = `/v1/auth/keys/${other.key_id}`
    await expectFailure(await admin.open.send(path, { as: head.api_key }), 404, { code: 'api_key_not_found' })
    await expectFailure(await admin.open.send(path, { as: head.api_key, method: 'DELETE' }), 404, {})
    expect(await admin.status(other.api_key)).toBe(200)
  },

  async 'the holder of a key sees its rules and limits'(admin) {
    const { team_id } = await admin.create('/v1/teams', { name: 'red', rate_limit: 7 })
    const { api_key: key } = await admin.key({ team_id, models: ['up/*'], max_budget: 5 })
    const me = await (await admin.open.send('/v1/auth/me', { as: key })).json()
    expect(me).toMatchObject({ models: ['up/*'], max_budget: '5', team: { name: 'red', rate_limit: 7 } })
  },

  async 'a key spends at most so much in a period'(admin) {
    // An answer costs 0.000029. A request with 100 tokens of output may cost about 0.0016.
    const { api_key: key } = await admin.key({ max_budget: '0.0017', budget_period: 'month' })
    const refused = await admin.chatUntilRefused(key)
    await expectFailure(refused, 429, { type: 'insufficient_quota', code: 'budget_exceeded' })
    const me = await (await admin.open.send('/v1/auth/me', { as: key })).json()
    expect(Number(me.spent)).toBeLessThanOrEqual(0.0017)
  },

  async 'a budget starts again with the next period'(admin) {
    const { api_key: key } = await admin.key({ max_budget: '0.0017', budget_period: 'day' })
    expect((await admin.chatUntilRefused(key)).status).toBe(429)
    admin.open.time += 86_400_000
    expect((await admin.chat(key, 'up/big', output)).status).toBe(200)
  },

  async 'a team spends at most so much, with all its keys'(admin) {
    const { team_id } = await admin.create('/v1/teams', { name: 'red', max_budget: '0.0017' })
    const [one, two] = [await admin.key({ team_id }), await admin.key({ team_id, username: 'bob' })]
    expect((await admin.chat(two.api_key, 'up/big', output)).status).toBe(200)
    expect((await admin.chatUntilRefused(one.api_key)).status).toBe(429)
    expect((await admin.chat(two.api_key, 'up/big', output)).status).toBe(429)
  },

  async 'a request that may cost more than is left is refused before it is sent'(admin) {
    const { api_key: key } = await admin.key({ max_budget: '0.001' })
    await expectFailure(await admin.chat(key, 'up/big', output), 400, { code: 'cost_exceeds_limit' })
    expect(admin.upstream.calls).toEqual([])
  },

  async 'a request without a limit of output gets one that is affordable'(admin) {
    const { api_key: key } = await admin.key({ max_budget: '0.02' })
    expect((await admin.chat(key)).status).toBe(200)
    const { max_completion_tokens: most } = JSON.parse(admin.upstream.calls[0]?.sent ?? '{}')
    expect(most).toBeGreaterThan(900)
    expect(most).toBeLessThan(1_000)
  },

  async 'a model without a price is refused to keys with a budget'(admin) {
    const [limited, unlimited] = [await admin.key({ max_budget: 1 }), await admin.key()]
    await expectFailure(await admin.chat(limited.api_key, 'up/unpriced'), 400, { code: 'model_not_priced' })
    expect(await admin.status(unlimited.api_key, 'up/unpriced')).toBe(200)
  },

  async 'a key has at most so many running requests'() {
    const live = new LiveStream()
    const admin = new Administrator({ providers: [fakeProvider({ stream: () => live.stream })] })
    const { api_key: key } = await admin.key({ max_parallel_requests: 1 })
    const running = admin.chat(key, 'up/big', { stream: true })
    await live.started
    await expectFailure(await admin.chat(key), 429, { code: 'too_many_parallel_requests' })
    live.send(delta('Hi'), finish, '[DONE]')
    live.end()
    await (await running).text()
    await admin.open.gateway.budgets.flush()
    expect(await admin.status(key)).toBe(200)
    await admin.open.gateway.close()
  },

  async 'a request waits for a free place instead'() {
    const live = new LiveStream()
    const providers = [fakeProvider({ stream: () => live.stream })]
    const admin = new Administrator({ providers, budgets: { waitSeconds: 60 } })
    const { api_key: key } = await admin.key({ max_parallel_requests: 1 })
    const running = admin.chat(key, 'up/big', { stream: true })
    await live.started
    const waiting = admin.chat(key)
    live.send(delta('Hi'), finish, '[DONE]')
    live.end()
    await (await running).text()
    expect((await waiting).status).toBe(200)
    await admin.open.gateway.close()
  },

  async 'the costs of teams are in one report'(admin) {
    const { team_id } = await admin.create('/v1/teams', { name: 'red' })
    const [inTeam, without] = [await admin.key({ team_id }), await admin.key()]
    for (const { api_key } of [inTeam, inTeam, without]) await admin.chat(api_key)
    expect(await admin.report('group_by=team')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ team_id, requests: 2, cost: '0.000058' }),
        expect.objectContaining({ team_id: null, requests: 1, cost: '0.000029' }),
      ]),
    )
  },

  async 'costs are reported by label'(admin) {
    const { team_id } = await admin.create('/v1/teams', { name: 'red', tags: ['research'] })
    const { api_key: key } = await admin.key({ team_id, tags: ['agent'] })
    await admin.chat(key)
    expect(await admin.report('group_by=tag')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ tag: 'agent', cost: '0.000029' }),
        expect.objectContaining({ tag: 'research', cost: '0.000029' }),
      ]),
    )
  },

  async 'the dearest models are listed, and the others as one sum'(admin) {
    const { api_key: key } = await admin.key()
    for (const model of ['up/big', 'up/big', 'up/small', 'up/unpriced']) await admin.chat(key, model)
    expect(await admin.report('group_by=model&top=1&order=cost')).toEqual([
      expect.objectContaining({ model: 'up/big', requests: 2, cost: '0.000058' }),
      expect.objectContaining({ other: true, requests: 2, cost: '0.0000065' }),
    ])
  },

  async 'a spreadsheet gets the report'(admin) {
    const { api_key: key } = await admin.key()
    await admin.chat(key)
    admin.open.time += 1
    const answer = await admin.open.send('/v1/usage?group_by=model&format=csv', { as: ADMIN })
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect((await answer.text()).split('\r\n')[1]).toContain('up/big')
  },

  async 'equal requests are paid for once'() {
    const admin = new Administrator({ answerCache: {} })
    const { api_key: key } = await admin.key()
    const answers = [await admin.chat(key), await admin.chat(key)]
    expect(answers.map(({ headers }) => headers.get('x-trivium-cache'))).toEqual(['miss', 'hit'])
    expect(await admin.report('group_by=model')).toEqual([expect.objectContaining({ requests: 2, cost: '0.000029' })])
    await admin.open.gateway.close()
  },

  async 'a secret never leaves to an upstream'() {
    const admin = new Administrator({ guardrails: [patternsGuardrail({ names: ['secret'], action: 'block' })] })
    const { api_key: key } = await admin.key()
    const messages = [{ role: 'user', content: `The key is ${key}` }]
    const answer = await admin.chat(key, 'up/big', { messages })
    await expectFailure(answer, 400, { code: 'guardrail_blocked' })
    expect(admin.upstream.calls).toEqual([])
    expect(await admin.report('group_by=status')).toEqual([expect.objectContaining({ status: 400, requests: 1 })])
    await admin.open.gateway.close()
  },

  async 'card numbers are masked in answers, streams included'() {
    const card = ['4111 11', '11 1111', ' 1111']
    const upstream = fakeProvider({
      complete: () => encodedAnswer(completionText.replace('"Hi"', `"Pay with ${card.join('')}."`)),
      stream: () => {
        const events = [delta('Pay with '), ...card.map(delta), delta('.'), finish].map((one) => JSON.stringify(one))
        return textStream([...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join(''))
      },
    })
    const guardrails = [patternsGuardrail({ names: ['card'], on: ['output'] })]
    const admin = new Administrator({ providers: [upstream], prices: {}, models: {}, guardrails })
    const { api_key: key } = await admin.key()
    const whole = await (await admin.chat(key)).json()
    expect(whole.choices[0].message.content).toBe('Pay with [CARD].')
    const text = await (await admin.chat(key, 'up/big', { stream: true })).text()
    const contents = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content)
    expect(contents.join('')).toBe('Pay with [CARD].')
    await admin.open.gateway.close()
  },

  async 'a request that a moderation model flags is refused'() {
    const upstream = moderatingProvider(({ content }) => content.includes('attack'))
    const admin = new Administrator({
      providers: [upstream],
      prices: {},
      models: {},
      guardrails: [moderationGuardrail({ model: 'up/omni', on: ['input'] })],
    })
    const { api_key: key } = await admin.key()
    expect((await admin.chat(key)).status).toBe(200)
    const messages = [{ role: 'user', content: 'Plan an attack' }]
    const message = "The guardrail 'moderation' has refused this request: violence."
    await expectFailure(await admin.chat(key, 'up/big', { messages }), 400, { code: 'guardrail_blocked', message })
    await admin.open.gateway.close()
  },

  async 'a guardrail only reports at first'() {
    const admin = new Administrator({ guardrails: [patternsGuardrail({ names: ['email'], action: 'report' })] })
    const reports: unknown[] = []
    admin.open.gateway.events.on('guardrail.reported', ({ category, side }) => reports.push([side, category]))
    const { api_key: key } = await admin.key()
    const messages = [{ role: 'user', content: 'Write to jane@example.com' }]
    expect((await admin.chat(key, 'up/big', { messages })).status).toBe(200)
    expect(admin.upstream.calls[0]?.sent).toContain('jane@example.com')
    expect(reports).toEqual([['input', 'email']])
    await admin.open.gateway.close()
  },

  async 'it shows why a request failed, with each upstream that was tried'() {
    const complete = () => {
      throw new ProviderFailure({ type: 'unreachable', message: 'No route' })
    }
    const down = fakeProvider({ models: ['big', 'small'], complete })
    const admin = new Administrator({ requestLog: {}, providers: [down], retries: { retries: 0 } })
    const { api_key: key } = await admin.key()
    expect(await admin.status(key, 'smart')).toBe(502)
    const error = { type: 'unreachable', message: 'No route' }
    expect(await admin.logged('status=5xx')).toMatchObject([
      {
        model: 'smart',
        error,
        attempts: [
          { upstream_model: 'big', cause: 'first', error },
          { upstream_model: 'small', cause: 'fallback', error },
        ],
      },
    ])
    await admin.open.gateway.close()
  },

  async 'it shows which requests of a key were refused, and by whose limit'() {
    const admin = new Administrator({ requestLog: {} })
    const { team_id } = await admin.create('/v1/teams', { name: 'red', rate_limit: 1 })
    const { api_key: key, key_id: id } = await admin.key({ team_id })
    expect([await admin.status(key), await admin.status(key)]).toEqual([200, 429])
    expect(await admin.logged(`key_id=${id}&status=4xx`)).toMatchObject([
      { status: 429, error: { type: 'rate-limited' }, refused_by: 'team' },
    ])
    await admin.open.gateway.close()
  },

  async 'prompts are kept for an audit, without personal data'() {
    const admin = new Administrator({ requestLog: { content: true, redact: ['email'] } })
    const { api_key: key } = await admin.key()
    await admin.chat(key, 'up/big', { messages: [{ role: 'user', content: 'I am ada@example.com' }] })
    const [{ id }] = await admin.logged('q=i+am')
    const entry = await (await admin.open.send(`/v1/requests/${id}`, { as: ADMIN })).json()
    expect([entry.prompt.text, entry.answer.text]).toEqual(['user: I am [EMAIL]', 'Hi'])
    await admin.open.gateway.close()
  },

  async 'the log is archived'() {
    const admin = new Administrator({ requestLog: {} })
    const { api_key: key } = await admin.key()
    for (let request = 0; request < 3; request += 1) await admin.chat(key)
    const lines = (await (await admin.open.send('/v1/requests?format=jsonl', { as: ADMIN })).text()).split('\n')
    expect(lines.filter((line) => line !== '').map((line) => JSON.parse(line).model)).toEqual(Array(3).fill('up/big'))
    await admin.open.gateway.close()
  },
}

describe("the administrator's table of docs/governance.md", () => {
  it('has a test for each row', () => {
    const page = readFileSync(new URL('../../../docs/governance.md', import.meta.url), 'utf8')
    const [, table = ''] = page.split('| an administrator wants that | fields |\n|---|---|\n')
    const named = table
      .split('\n\n')[0]
      ?.split('\n')
      .map((line) => line.split(' | ')[0]?.slice(2))
    expect(named).toEqual(Object.keys(rows))
  })

  it.each(Object.entries(rows))('holds: %s', async (_, row) => {
    const admin = new Administrator()
    onTestFinished(() => admin.open.gateway.close())
    await row(admin)
  })
})
