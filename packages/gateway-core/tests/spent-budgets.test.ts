import Anthropic from '@anthropic-ai/sdk'
import type { Nanodollars, NewApiKey } from '@trivium/gateway-core'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { expectMessageFailure, type OpenGateway, openGateway } from './open-gateway.ts'

type Budget = NonNullable<NewApiKey['budget']>

const messages = [{ role: 'user' as const, content: 'Hi' }]
const model = 'up/big'

const money: Budget = { spend: { most: 1_700_000 as Nanodollars, period: 'month' } } // a whole number
const tokens: Budget = { tokensPerDay: 110 }

/** Uses a budget up, and counts the requests after that. */
async function spent(budget: Budget) {
  const open = openGateway({ prices: { 'up/*': { input: 1, output: 10 } } })
  const { secret } = await open.key({ budget })
  do await open.gateway.budgets.flush()
  while ((await open.chat(secret, { max_completion_tokens: 70 })).status === 200)
  let requests = 0
  const send = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    requests += 1
    const { url, headers, method } = new Request(input, init)
    const { pathname } = new URL(url)
    return open.send(pathname, { method, headers: Object.fromEntries(headers), body: String(init?.body) })
  }
  return { open, secret, send, count: () => requests }
}

const caught = (request: PromiseLike<unknown>) =>
  request.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('a budget that is spent', () => {
  it.each([
    ['money', money, 'budget_exceeded', 'insufficient_quota'],
    ['tokens of a day', tokens, 'insufficient_quota', 'tokens'],
  ])('ends a request of OpenAI’s client immediately, with its code: %s', async (_, budget, code, type) => {
    const { secret, send, count } = await spent(budget)
    const client = new OpenAI({ apiKey: secret, baseURL: 'http://gateway.test/v1', fetch: send })
    const error = await caught(client.chat.completions.create({ model, messages, max_completion_tokens: 80 }))
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(error).toMatchObject({ status: 429, code, type })
    expect(count()).toBe(1)
  })

  it.each([
    ['money', money, 'budget_exceeded', 'billing_error'],
    ['tokens of a day', tokens, 'insufficient_quota', 'rate_limit_error'],
  ])('ends a request of Anthropic’s client immediately, with its type: %s', async (_, budget, code, type) => {
    const { secret, send, count } = await spent(budget)
    const client = new Anthropic({ apiKey: secret, baseURL: 'http://gateway.test', fetch: send })
    const error = await caught(client.messages.create({ model, messages, max_tokens: 80 }))
    expect(error).toBeInstanceOf(Anthropic.RateLimitError)
    expect(error).toMatchObject({ status: 429, type })
    expect(error instanceof Anthropic.APIError && error.headers?.get('x-trivium-error-code')).toBe(code)
    expect(count()).toBe(1)
  })
})

describe('the code of an error of messages', () => {
  const message = (open: OpenGateway, as: string, fields: object = {}) =>
    open.send('/v1/messages', { as, body: { model, messages, max_tokens: 5, ...fields } })

  it('sends the code in a header, for errors before and after the access rule', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    const unknown = await message(open, 'tvm_unknown')
    expect(unknown.headers.get('x-trivium-error-code')).toBe('invalid_api_key')
    await expectMessageFailure(unknown, 401, 'authentication_error')
    const absent = await message(open, secret, { model: 'up/absent' })
    expect(absent.headers.get('x-trivium-error-code')).toBe('model_not_found')
    await expectMessageFailure(absent, 404, 'not_found_error')
  })
})
