import { describe, expect, it } from 'vitest'
import { everyEvent } from '../../../tests/messages/every-event.ts'
import { countTokens } from './count-tokens.ts'
import { estimateMessagesInput, messagesOutputLimit } from './estimate-input.ts'
import { MessagesStreamAccount } from './messages-stream-account.ts'

const base64 = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(100_000) }

describe('the tokens of a request of messages', () => {
  it('come from all of its texts', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.'
    const body = {
      system: text,
      tools: [{ name: 'f', description: text }],
      messages: [
        { role: 'user', content: [{ type: 'text', text }] },
        { role: 'assistant', content: [{ type: 'tool_use', input: { text } }] },
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text }] }] },
      ],
    }
    expect(await countTokens({ messages: [{ role: 'user', content: text }] })).toBe(14)
    expect(await countTokens(body)).toBeGreaterThan(60)
    expect(estimateMessagesInput(body)).toBeGreaterThan(60)
  })

  it('count an image as 800, regardless of its bytes', async () => {
    const body = { messages: [{ role: 'user', content: [{ type: 'image', source: base64 }] }] }
    expect(await countTokens(body)).toBe(804)
    expect(estimateMessagesInput(body)).toBe(804)
  })

  it('serve others while a large text without spaces is counted', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    const counted = await countTokens({ messages: [{ content: 'ab'.repeat(2 ** 20) }] })
    clearInterval(timer)
    expect(counted).toBeGreaterThan(100_000)
    expect(turns).toBeGreaterThan(10)
  })

  it('count special tokens as text', async () => {
    expect(await countTokens({ messages: [{ content: '<|endoftext|>\ud800' }] })).toBeGreaterThan(4)
  })

  it('end at the limit of the answer', () => {
    expect(messagesOutputLimit({ max_tokens: 7 })).toBe(7)
    expect(messagesOutputLimit({ max_tokens: '7' })).toBeUndefined()
  })
})

it('MessagesStreamAccount knows the input of a stream after its first event', () => {
  const account = new MessagesStreamAccount()
  account.read(everyEvent[0])
  const detail = { cachedTokens: 3, cacheWriteTokens: 2 }
  expect(account.tokens).toEqual({ input: 15, detail })
  expect(account).toMatchObject({ id: 'msg_9', model: 'claude-example', finishReasons: [] })
  for (const event of everyEvent.slice(1)) account.read(event)
  expect(account.tokens).toMatchObject({ input: 15, output: 20, detail })
  expect(account.finishReasons).toEqual(['tool_use'])
})
