import * as fc from 'fast-check'
import type {
  ConversationRequest,
  ConversationTool,
  ConversationToolChoice,
  Turn,
} from '../../../src/dialects/conversation/conversation-request.ts'
import { encryptedReasoning, name, record, searchCall, text, textPart, toolCall } from './part-arbitraries.ts'

const at = ''

const plainText = text.map((text) => ({ type: 'text' as const, text }))

const source = fc.oneof(
  fc.record({ type: fc.constant('base64' as const), mediaType: fc.constant('image/png'), data: fc.base64String() }),
  fc.record({ type: fc.constant('url' as const), url: name.map((path) => `https://example.com/${path}`) }),
  fc.record({ type: fc.constant('file-id' as const), id: name }),
)

const image = fc.record({ type: fc.constant('image' as const), source, detail: fc.constantFrom('auto', 'high') })
const file = fc.record({ type: fc.constant('file' as const), source, name })
const inputPart = fc.oneof(plainText, image, file)

/** What is read again as another form: one empty text, which is an empty result. */
const isEmptyText = (parts: readonly { readonly type: string; readonly text?: string }[]) =>
  parts.length === 1 && parts[0]?.text === ''

const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.array(plainText, { minLength: 1, maxLength: 2 }).map((content): Turn => ({ role: 'system', content, at })),
  fc.array(plainText, { maxLength: 2 }).map((content): Turn => ({ role: 'system', developer: true, content, at })),
  fc.array(inputPart, { maxLength: 3 }).map((content): Turn => ({ role: 'user', content, at })),
  fc
    .array(fc.oneof(textPart, encryptedReasoning, toolCall, searchCall), { minLength: 1, maxLength: 4 })
    .map((content): Turn => ({ role: 'assistant', content, at })),
  fc
    .tuple(name, fc.array(inputPart, { maxLength: 3 }), fc.constantFrom('function', 'custom'), fc.boolean())
    .filter(([, content]) => !isEmptyText(content.filter((part) => part.type === 'text')))
    .map(([callId, content, kind, failed]): Turn => {
      const isError = failed && kind === 'function'
      return { role: 'tool', callId, kind, content, ...(isError ? { isError: true } : {}), at }
    }),
)

/** Turns of the model that follow each other are one turn. */
const turns = fc
  .array(turn, { maxLength: 6 })
  .map((list) => list.filter((one, index) => one.role !== 'assistant' || list[index - 1]?.role !== 'assistant'))

const schema = fc.dictionary(name, text, { maxKeys: 2 })

const plainTool: fc.Arbitrary<ConversationTool> = fc.oneof(
  fc
    .tuple(
      fc.record({ name, parameters: schema, strict: fc.boolean() }),
      record({ description: text, namespace: name }),
    )
    .map(([required, optional]): ConversationTool => ({ type: 'function', ...required, ...optional, at })),
  fc
    .tuple(name, record({ description: text, grammar: fc.record({ syntax: name, definition: text }), namespace: name }))
    .map(([name, optional]): ConversationTool => ({ type: 'custom', name, ...optional, at })),
)

const search: fc.Arbitrary<ConversationTool> = record({
  maxUses: fc.nat(),
  allowedDomains: fc.array(name, { minLength: 1, maxLength: 2 }),
  contextSize: fc.constantFrom('low', 'high'),
  userLocation: fc.record({ type: fc.constant('approximate'), country: name }),
}).map((optional) => ({ type: 'web-search', name: 'web_search', ...optional, at }))

/** Tools of one namespace are adjacent when they are read. */
const tools = fc
  .tuple(fc.uniqueArray(plainTool, { selector: (tool) => tool.name, maxLength: 4 }), fc.option(search))
  .map(([plain, searching]) => {
    const namespaced = plain.filter((tool) => 'namespace' in tool)
    const others = plain.filter((tool) => !('namespace' in tool))
    const names = [...new Set(namespaced.map((tool) => ('namespace' in tool ? tool.namespace : undefined)))]
    const grouped = names.flatMap((one) => namespaced.filter((tool) => 'namespace' in tool && tool.namespace === one))
    return [...others, ...grouped, ...(searching ? [searching] : [])]
  })

const settings = record({
  maxOutputTokens: fc.integer({ min: 16, max: 1e6 }),
  temperature: fc.integer({ min: 0, max: 2 }),
  topP: fc.integer({ min: 0, max: 1 }),
  logProbabilities: fc.nat(20),
  reasoning: fc.oneof(
    fc.record({ effort: fc.constantFrom('low', 'high') }),
    fc.record({ effort: fc.constant('high'), summary: fc.constant('auto'), encrypted: fc.constant(true) }),
  ),
  verbosity: fc.constant('low'),
  user: text,
  safetyIdentifier: text,
  metadata: fc.dictionary(name, text, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
  serviceTier: fc.constant('flex'),
  promptCacheKey: text,
  promptCacheRetention: fc.constant('24h'),
})

const format = fc.oneof(
  fc.constant({ type: 'json' as const }),
  fc
    .tuple(name, schema, record({ description: text, strict: fc.boolean() }))
    .map(([name, schema, optional]) => ({ type: 'schema' as const, name, schema, ...optional })),
)

function choiceOf(tools: readonly ConversationTool[]): fc.Arbitrary<ConversationToolChoice> {
  const named = tools.flatMap((tool) => (tool.type === 'function' || tool.type === 'custom' ? [tool] : []))
  const simple = fc.constantFrom({ type: 'none' as const }, { type: 'auto' as const }, { type: 'required' as const })
  if (named.length === 0) return simple
  const one = fc.constantFrom(...named)
  return fc.oneof(
    simple,
    one.map(({ name, type }) => ({ type: 'tool' as const, name, kind: type })),
    fc.record({
      type: fc.constant('allowed' as const),
      required: fc.boolean(),
      names: fc.array(
        one.map(({ name }) => name),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  )
}

/** Requests of which responses carry all. */
export const request: fc.Arbitrary<ConversationRequest> = fc
  .tuple(turns, tools, settings, record({ format }), fc.boolean())
  .chain(([turns, tools, settings, optional, stream]) =>
    record({ toolChoice: choiceOf(tools), parallelToolCalls: fc.boolean() }).map((choice) => ({
      dialect: 'responses' as const,
      stream,
      turns,
      tools,
      settings,
      ...optional,
      ...(tools.length > 0 ? choice : {}),
      names: {},
      extra: {},
    })),
  )
