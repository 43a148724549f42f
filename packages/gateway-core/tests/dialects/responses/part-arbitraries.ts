import * as fc from 'fast-check'
import type {
  Annotation,
  OutputPart,
  ReasoningPart,
  SearchCallPart,
  TextPart,
  ToolCallPart,
} from '../../../src/dialects/conversation/conversation-parts.ts'

export const text = fc.string({ unit: 'binary', maxLength: 20 })
export const name = fc.string({ minLength: 1, maxLength: 12 })

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

/** A record whose absent members are missing. */
export const record = <Value>(members: { readonly [Name in keyof Value]: fc.Arbitrary<Value[Name]> }) =>
  fc.record(members, { requiredKeys: [] })

export const annotation: fc.Arbitrary<Annotation> = fc
  .tuple(
    fc.record({ url: name, title: text, start: fc.nat(100), end: fc.nat(100) }),
    record({ quote: text, encryptedIndex: text }),
  )
  .map(([required, optional]) => ({ ...required, ...optional }))

const logProbability = fc.record({ token: text, logprob: fc.integer({ min: -9, max: 0 }) })

export const textPart: fc.Arbitrary<TextPart> = fc
  .tuple(
    text,
    record({
      annotations: fc.array(annotation, { minLength: 1, maxLength: 2 }),
      logProbabilities: fc.array(logProbability, { minLength: 1, maxLength: 2 }),
    }),
  )
  .map(([text, optional]) => ({ type: 'text', text, ...optional }))

/** Reasoning that only OpenAI verifies. */
export const encryptedReasoning: fc.Arbitrary<ReasoningPart> = fc
  .tuple(text, fc.array(text, { maxLength: 2 }), fc.base64String(), name)
  .map(([text, summary, encrypted, id]) => ({ type: 'reasoning', text, summary, encrypted, id: `rs_${id}` }))

/** Reasoning of any dialect. */
export const reasoning: fc.Arbitrary<ReasoningPart> = fc
  .tuple(
    text,
    fc.array(text, { maxLength: 2 }),
    name,
    record({ signature: text, redacted: text, encrypted: fc.oneof(text, fc.constant('trivium.x')) }),
  )
  .map(([text, summary, id, optional]) => ({ type: 'reasoning', text, summary, id: `rs_${id}`, ...optional }))

export const toolCall: fc.Arbitrary<ToolCallPart> = fc
  .tuple(name, name, name, fc.boolean(), text, maybe(name))
  .map(([callId, tool, id, isCustom, input, namespace]) => ({
    type: 'tool-call',
    callId,
    kind: isCustom ? 'custom' : 'function',
    name: tool,
    input: `{${input}`,
    id: isCustom ? `ctc_${id}` : `fc_${id}`,
    ...(namespace === undefined ? {} : { namespace }),
  }))

const result = fc
  .tuple(name, record({ title: text, encryptedContent: text, pageAge: text }))
  .map(([url, optional]) => ({ url, ...optional }))

export const searchCall: fc.Arbitrary<SearchCallPart> = fc
  .tuple(
    name,
    text,
    record({ failed: fc.constant(true as const), results: fc.array(result, { minLength: 1, maxLength: 2 }) }),
  )
  .map(([id, query, optional]) => ({ type: 'search-call', id: `ws_${id}`, query, ...optional }))

const refusal: fc.Arbitrary<OutputPart> = text.map((text) => ({ type: 'refusal', text }))

export const outputPart: fc.Arbitrary<OutputPart> = fc.oneof(textPart, refusal, reasoning, toolCall, searchCall)
