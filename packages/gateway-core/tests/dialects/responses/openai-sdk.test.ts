import * as fc from 'fast-check'
import OpenAI from 'openai'
import type { Response } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import type { ConversationAnswer } from '../../../src/dialects/conversation/conversation-answer.ts'
import { responsesTranslation } from '../../../src/dialects/responses/responses-translation.ts'
import { upstreamServer } from '../../upstream-server.ts'
import { answer, stepsOf } from './answer-arbitraries.ts'
import { responseContext } from './response-context.ts'

const requested = { model: 'm', input: 'Hi', reasoning: { summary: 'auto' } } as const

/** Serves answers to the official client: whole, or as a stream where it requests one. */
async function clientOf(current: () => ConversationAnswer): Promise<OpenAI> {
  const { origin } = await upstreamServer(({ body }, response) => {
    const context = responseContext({ ...requested })
    if (JSON.parse(body).stream) {
      const writer = responsesTranslation.writeEvents(context)
      response.setHeader('content-type', 'text/event-stream')
      for (const step of stepsOf(current())) response.write(writer.write(step))
      response.end()
    } else {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(responsesTranslation.writeAnswer(current(), context)))
    }
  })
  return new OpenAI({ baseURL: origin, apiKey: 'key', maxRetries: 0 })
}

/** Members that the client adds, and ids, which are new for each answer. */
const ofClient: ReadonlySet<string> = new Set(['id', 'parsed', 'parsed_arguments', 'output_parsed'])

const withoutIds = (value: Response): unknown =>
  JSON.parse(JSON.stringify(value, (key, one) => (ofClient.has(key) ? undefined : one)))

const uniqueIds = ({ content }: ConversationAnswer): boolean => {
  const ids = content.flatMap((part) => ('id' in part && part.id !== undefined ? [part.id] : []))
  return new Set(ids).size === ids.length
}

describe('the official client of OpenAI', () => {
  it('accumulates any stream to the whole answer', async () => {
    let current: ConversationAnswer | undefined
    const client = await clientOf(() => {
      if (!current) throw new Error('there is no answer')
      return current
    })
    await fc.assert(
      fc.asyncProperty(answer.filter(uniqueIds), async (original) => {
        current = original
        const streamed = await client.responses.stream({ ...requested }).finalResponse()
        const whole = await client.responses.create(requested)
        expect(withoutIds(streamed)).toEqual(withoutIds(whole))
        const texts = original.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
        expect(whole.output_text).toBe(texts.join(''))
      }),
      { numRuns: 30 },
    )
  })

  it('reads the usage and the details of it', async () => {
    const client = await clientOf(() => ({
      id: 'x',
      model: 'm',
      created: 1,
      content: [{ type: 'refusal', text: 'No.' }],
      ending: { reason: 'length' },
      usage: { inputTokens: 5, outputTokens: 7, cachedTokens: 3, reasoningTokens: 2 },
    }))
    const { usage, status, incomplete_details } = await client.responses.create(requested)
    expect({ status, incomplete_details }).toEqual({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
    expect(usage).toEqual({
      input_tokens: 5,
      input_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 12,
    })
  })
})
