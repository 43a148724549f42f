import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { estimateResponsesInput, responsesOutputLimit } from '../../../src/dialects/responses/estimate-input.ts'
import { ResponseAccount } from '../../../src/dialects/responses/response-account.ts'
import { responsesTranslation } from '../../../src/dialects/responses/responses-translation.ts'
import { responseAnswerSchema } from '../../../src/http/responses/response-answer-schema.ts'
import { responseRequestSchema } from '../../../src/http/responses/response-request-schema.ts'
import { responseContext } from './response-context.ts'

const placeOf = (body: unknown): string | undefined => {
  const { issues } = v.safeParse(responseRequestSchema, body, { abortEarly: true })
  return issues?.[0] && (v.getDotPath(issues[0]) ?? '')
}

const deep = (levels: number): unknown => (levels === 0 ? 0 : [deep(levels - 1)])

describe('the check of requests for responses', () => {
  it.each([
    [{ input: 'Hi' }],
    [{ input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }], store: null, include: [] }],
    [{ input: [{ type: 'future_item', any: 1 }], tools: [{ type: 'future_tool' }], future: true }],
    [{ previous_response_id: 'resp_1', conversation: { id: 'conv_1' }, background: true }],
    [{ input: 'Hi', tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'f' }] }] }],
  ])('accepts %j', (body) => {
    expect(placeOf({ model: 'm', ...body })).toBeUndefined()
  })

  it.each<[string, object]>([
    ['input.0.content.0.type', { input: [{ role: 'user', content: [{ text: 'Hi' }] }] }],
    ['input.0.call_id', { input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }],
    ['input.0.output', { input: [{ type: 'function_call_output', call_id: 'c' }] }],
    ['input', { input: Array.from({ length: 10_001 }, () => ({ type: 'x' })) }],
    ['tools', { tools: Array.from({ length: 1025 }, () => ({ type: 'x' })) }],
    ['temperature', { temperature: 3 }],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['top_logprobs', { top_logprobs: 21 }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, ''])) }],
    ['', { future: deep(300) }],
  ])('refuses %s out of bounds', (place, body) => {
    expect(placeOf({ model: 'm', ...body })).toBe(place)
  })

  it('describes the answers that the gateway writes', () => {
    const answer = { id: 'x', model: 'm', created: 1, content: [], ending: { reason: 'stop' } } as const
    const written = responsesTranslation.writeAnswer(answer, responseContext())
    expect(v.is(responseAnswerSchema, written)).toBe(true)
  })
})

describe('the estimate of a response', () => {
  it('counts texts, calls, results and tools', () => {
    const hundred = 'x'.repeat(400)
    expect(estimateResponsesInput({ input: hundred })).toBe(104)
    expect(estimateResponsesInput({ instructions: hundred, input: [{ role: 'user', content: hundred }] })).toBe(208)
    expect(
      estimateResponsesInput({
        input: [
          { type: 'function_call', call_id: 'c', name: 'f', arguments: hundred },
          { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: hundred }] },
        ],
      }),
    ).toBe(209)
    expect(estimateResponsesInput({ tools: [{ type: 'function', name: hundred }] })).toBeGreaterThan(100)
  })

  it('counts an attachment by itself, not by its bytes', () => {
    const image = { type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(100_000)}` }
    expect(estimateResponsesInput({ input: [{ role: 'user', content: [image] }] })).toBe(804)
  })

  it('returns the maximum of the output where it is one', () => {
    expect(responsesOutputLimit({ max_output_tokens: 50 })).toBe(50)
    expect(responsesOutputLimit({ max_output_tokens: null })).toBeUndefined()
  })
})

describe('the account of a response', () => {
  it('counts the pieces of a stream, and reads its usage at the end', () => {
    const account = new ResponseAccount()
    account.read({ type: 'response.created', response: { id: 'resp_1', model: 'm', status: 'in_progress' } })
    account.read({ type: 'response.output_text.delta', delta: 'Hi' })
    account.read(undefined)
    expect(account).toMatchObject({ id: 'resp_1', model: 'm', pieces: 2, isFinished: false })
    const usage = { input_tokens: 5, output_tokens: 7, input_tokens_details: { cached_tokens: 3 } }
    account.read({ type: 'response.completed', response: { status: 'completed', usage } })
    expect(account).toMatchObject({ inputTokens: 5, outputTokens: 7, finish: 'completed' })
    expect(account.detail).toEqual({ cachedTokens: 3 })
  })

  it.each([
    [{ type: 'error', message: 'No.' }, 'failed'],
    [{ type: 7, response: { id: 1, usage: { input_tokens: -1, input_tokens_details: [] }, status: {} } }, undefined],
    [{ response: 'x' }, undefined],
  ])('reads %j without a fault', (event, finish) => {
    const account = new ResponseAccount()
    account.read(event)
    expect([account.finish, account.inputTokens]).toEqual([finish, undefined])
  })
})
