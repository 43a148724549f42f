import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConversationAnswer } from '../../../src/dialects/conversation/conversation-answer.ts'
import type { JsonObject } from '../../../src/dialects/dialect.ts'
import { responsesTranslation } from '../../../src/dialects/responses/responses-translation.ts'
import { ProviderFailure } from '../../../src/providers/provider-error.ts'
import { answer } from './answer-arbitraries.ts'
import { reasoning } from './part-arbitraries.ts'
import { responseContext, withoutPlaces } from './response-context.ts'

const { readAnswer, readRequest, writeAnswer } = responsesTranslation

const plain: ConversationAnswer = {
  id: 'x',
  model: 'claude',
  created: 1_700_000_000,
  content: [{ type: 'text', text: 'Hi' }],
  ending: { reason: 'stop' },
}

/** Only a request restores what another dialect verifies, so an answer is read without it. */
const withoutSeals = ({ content, ...others }: ConversationAnswer): unknown => ({
  ...others,
  content: content.map((part) =>
    part.type === 'reasoning' ? { type: part.type, text: part.text, summary: part.summary, id: part.id } : part,
  ),
})

describe('answers as responses', () => {
  it('keep all that responses carry, written and read again', () => {
    fc.assert(
      fc.property(answer, (original) => {
        const written = JSON.parse(JSON.stringify(writeAnswer(original, responseContext())))
        expect(withoutSeals(readAnswer(written, responseContext()))).toEqual(withoutSeals(original))
      }),
    )
  })

  it.each([
    [{}],
    [{ summary: 'auto' }],
  ])('restore signatures that the client returns, with the settings %j', (settings) => {
    fc.assert(
      fc.property(reasoning, (part) => {
        const context = responseContext({ reasoning: settings })
        const { output } = writeAnswer({ ...plain, content: [part] }, context)
        const { turns } = readRequest(JSON.parse(JSON.stringify({ input: output })))
        const restored = withoutPlaces(turns)
        const isSealed = 'signature' in part || 'redacted' in part || part.encrypted?.startsWith('trivium.')
        if (isSealed || !('summary' in settings)) {
          expect(restored).toEqual([{ role: 'assistant', content: [part] }])
        }
      }),
    )
  })

  it('repeat the request, with the values of OpenAI where it has none', () => {
    const requested = {
      instructions: 'Be brief.',
      temperature: 0.5,
      tools: [{ type: 'function', name: 'f' }],
      user: 'u',
    }
    expect(writeAnswer(plain, responseContext(requested))).toMatchObject({
      ...requested,
      id: 'resp_1',
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: 'claude',
      output: [
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
        },
      ],
      parallel_tool_calls: true,
      tool_choice: 'auto',
      text: { format: { type: 'text' } },
      truncation: 'disabled',
      store: true,
      usage: null,
    })
  })

  it.each([
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['context', 'incomplete', { reason: 'max_output_tokens' }],
    ['content-filter', 'incomplete', { reason: 'content_filter' }],
    ['refusal', 'incomplete', { reason: 'content_filter' }],
    ['pause', 'incomplete', { reason: 'max_output_tokens' }],
    ['tool-calls', 'completed', null],
  ] as const)('end with the reason %s as %s', (reason, status, incomplete_details) => {
    expect(writeAnswer({ ...plain, ending: { reason } }, responseContext())).toMatchObject({
      status,
      incomplete_details,
    })
  })

  it('show reasoning as a summary to clients that request summaries', () => {
    const content = [{ type: 'reasoning', text: 'Think', summary: [], signature: 's' }] as const
    const { output } = writeAnswer({ ...plain, content }, responseContext({ reasoning: { summary: 'auto' } }))
    expect(output).toMatchObject([{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think' }] }])
    expect(output).not.toHaveProperty('0.content')
  })

  it('write images as calls of image generation', () => {
    const content = [{ type: 'image', source: { type: 'base64', mediaType: 'image/png', data: 'AAAA' } }] as const
    expect(writeAnswer({ ...plain, content }, responseContext()).output).toMatchObject([
      { type: 'image_generation_call', status: 'completed', result: 'AAAA' },
    ])
  })

  it('return the input of a custom tool that was offered as a function', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'patch', arguments: '{"input":"x"}' }
    const context = responseContext({}, { customAsFunctions: new Set(['patch']) })
    expect(readAnswer({ output: [item] }, context).content).toMatchObject([{ kind: 'custom', input: 'x' }])
  })

  it.each<[string, JsonObject]>([
    ['malformed', {}],
    ['malformed', { output: 'none' }],
    ['malformed', { output: [], status: 'in_progress' }],
    ['refused', { status: 'failed', output: [], error: { code: 'server_error', message: 'No.' } }],
  ])('refuse as %s: %j', (type, response) => {
    expect(() => readAnswer(response, responseContext())).toThrow(
      expect.objectContaining({ error: expect.objectContaining({ type }) }),
    )
  })

  it('fail only as failures of the upstream, for any value', () => {
    const members = ['id', 'model', 'created_at', 'status', 'error', 'usage', 'incomplete_details']
    const item = fc.dictionary(
      fc.constantFrom('type', 'content', 'summary', 'action', 'arguments', 'encrypted_content'),
      fc.oneof(fc.constantFrom('message', 'reasoning', 'function_call', 'web_search_call', 'x'), fc.jsonValue()),
    )
    const response = fc
      .tuple(fc.dictionary(fc.constantFrom(...members), fc.jsonValue()), fc.array(fc.oneof(item, fc.jsonValue())))
      .map(([fields, output]) => ({ ...fields, output }))
    fc.assert(
      fc.property(response, (value) => {
        try {
          JSON.stringify(writeAnswer(readAnswer(value, responseContext()), responseContext()))
        } catch (error) {
          expect(ProviderFailure.is(error)).toBe(true)
        }
      }),
    )
  })
})
