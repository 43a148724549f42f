import { describe, expect, it } from 'vitest'
import { ChatStreamAccount } from '../../chat/streams/stream-account.ts'
import { MessagesStreamAccount } from '../messages/messages-stream-account.ts'
import { ResponsesStreamAccount } from '../responses/responses-stream-account.ts'
import { OutputEstimate, startOfText } from './output-estimate.ts'

const chunk = (content: string, more: object = {}) => {
  const choice = { index: 0, delta: { content }, finish_reason: null, ...more }
  const envelope = { id: 'chatcmpl-abcdefghijklmnop', object: 'chat.completion.chunk', created: 1_700_000_000 }
  return `data: ${JSON.stringify({ ...envelope, model: 'gpt-4.1-mini', system_fingerprint: 'fp_0', choices: [choice] })}\n\n`
}

const create = () => new OutputEstimate(startOfText('content', 'arguments'))

describe('OutputEstimate', () => {
  it('counts events with about one token each', () => {
    const estimate = create()
    for (let count = 0; count < 100; count += 1) estimate.pass(chunk(' word'), 1)
    estimate.pass(chunk(' word').repeat(50), 50)
    estimate.add(3)
    expect(estimate.tokens).toBe(151)
  })

  it('counts no log probabilities, and no other members', () => {
    const estimate = create()
    const token = { token: ' wor', logprob: -0.1, bytes: [32, 119, 111, 114] }
    const logprobs = { content: [{ ...token, top_logprobs: Array.from({ length: 60 }, () => token) }] }
    for (let count = 0; count < 100; count += 1) estimate.pass(chunk(' wor', { logprobs, padding: 'x'.repeat(500) }), 1)
    expect(estimate.tokens).toBe(100)
  })

  it('counts long deltas by their characters, alone, together and between short ones', () => {
    for (const length of [40, 400, 4000, 40_000]) {
      const alone = create()
      for (let count = 0; count < 100; count += 1) alone.pass(chunk('x'.repeat(length)), 1)
      expect(alone.tokens / (25 * length)).toBeCloseTo(1, 1)
      const together = create()
      for (let count = 0; count < 10; count += 1) together.pass(chunk('x'.repeat(length)).repeat(10), 10)
      expect(Math.abs(together.tokens / (25 * length) - 1)).toBeLessThan(0.25)
    }
    const mixed = create()
    for (let count = 0; count < 100; count += 1) mixed.pass(chunk(count === 50 ? 'x'.repeat(40_000) : 'x'), 1)
    expect(Math.abs(mixed.tokens - 10_025)).toBeLessThan(10)
  })

  it('counts an escaped character as one', () => {
    const estimate = create()
    estimate.pass(chunk('"\\\n'.repeat(400)), 1)
    estimate.add(0)
    expect(Math.abs(estimate.tokens - 300)).toBeLessThan(3)
    const coded = create()
    coded.pass(`data: {"content" : "${'\\u4f60'.repeat(400)}"}\n\n`, 1)
    expect(coded.tokens).toBe(100)
  })
})

const text = 'x'.repeat(4000)

describe.each([
  ['chat', () => new ChatStreamAccount(1), { choices: [{ index: 0, delta: { content: text } }] }],
  ['text completions', () => new ChatStreamAccount(1), { choices: [{ index: 0, text }] }],
  [
    'calls of tools',
    () => new ChatStreamAccount(1),
    { choices: [{ delta: { tool_calls: [{ function: { arguments: text } }] } }] },
  ],
  [
    'messages',
    () => new MessagesStreamAccount(),
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  ],
  ['responses', () => new ResponsesStreamAccount(), { type: 'response.output_text.delta', delta: text }],
] as const)('the account of a stream of %s', (_, create, event) => {
  it('estimates long deltas by their characters', () => {
    const account = create()
    for (let count = 0; count < 10; count += 1) account.pass(`data: ${JSON.stringify(event)}\n\n`, 1)
    expect(Math.abs(account.pieces - 10_000)).toBeLessThan(50)
  })
})

it('ResponsesStreamAccount counts no events that repeat the texts of deltas', () => {
  const account = new ResponsesStreamAccount()
  account.read({ type: 'response.output_text.delta', delta: text })
  for (const type of ['response.output_text.done', 'response.content_part.done'])
    account.pass(`event: ${type}\ndata: ${JSON.stringify({ type, text, part: { text } })}\n\n`, 1)
  expect(account.pieces).toBe(1000)
})

it('ChatStreamAccount counts the characters of a chunk that is parsed', () => {
  const account = new ChatStreamAccount(1)
  account.read({ choices: [{ delta: { reasoning_content: text, content: text }, finish_reason: 'stop' }] })
  expect(account.pieces).toBe(2000)
})
