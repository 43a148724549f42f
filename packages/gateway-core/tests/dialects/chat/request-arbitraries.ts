import * as fc from 'fast-check'
import type { InputPart } from '../../../src/dialects/conversation/conversation-parts.ts'
import type {
  ConversationRequest,
  ConversationSettings,
  ConversationTool,
  Turn,
} from '../../../src/dialects/conversation/conversation-request.ts'
import { base64, calls, identifier, imageSource, jsonObject, maybe, words } from '../arbitraries.ts'

const at = ''
const mark = maybe({ cacheControl: fc.constant({ type: 'ephemeral' }) })
const marked = <Value extends object>(values: fc.Arbitrary<Value>) =>
  fc.tuple(values, mark).map(([value, more]) => ({ ...value, ...more }))

const text = words.map((value) => ({ type: 'text' as const, text: value }))
const image = fc
  .tuple(imageSource, maybe({ detail: fc.constantFrom('low', 'high') }))
  .map(([source, detail]) => ({ type: 'image' as const, source, ...detail }))
const audio = base64.map((data) => ({ type: 'audio' as const, data, format: 'wav' }))
const file = fc.tuple(base64, words).map(([data, name]) => ({
  type: 'file' as const,
  source: { type: 'base64' as const, mediaType: 'application/pdf', data },
  name,
}))
const foreign = identifier.map((url) => ({
  type: 'foreign' as const,
  dialect: 'chat' as const,
  name: 'video_url',
  value: { type: 'video_url', video_url: { url } },
}))

/** The turns of a conversation, in which those of the model never follow each other. */
const turnsOf = (part: fc.Arbitrary<InputPart>, extended: boolean): fc.Arbitrary<readonly Turn[]> => {
  const marks = <Value extends object>(values: fc.Arbitrary<Value>) => (extended ? marked(values) : values)
  const texts = fc.array(marks(text), { minLength: 1, maxLength: 2 })
  const named = maybe({ name: identifier })
  const system = fc
    .tuple(texts, maybe({ developer: fc.constant(true as const) }))
    .map(([content, developer]): Turn => ({ role: 'system', content, at, ...(extended ? developer : {}) }))
  const user = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), named)
    .map(([content, name]): Turn => ({ role: 'user', content, at, ...name }))
  const thinking = extended
    ? fc.array(
        fc
          .tuple(words, words)
          .map(([value, signature]) => ({ type: 'reasoning' as const, text: value, summary: [], signature })),
        { maxLength: 2 },
      )
    : fc.array(
        words.map((value) => ({ type: 'reasoning' as const, text: value, summary: [] })),
        { maxLength: 1 },
      )
  const results = marks(fc.record({ content: texts }))
  const answered = fc
    .tuple(thinking, texts, calls, results)
    .map(([thoughts, said, called, result]): readonly Turn[] => [
      { role: 'assistant', content: [...thoughts, ...said, ...called], at },
      ...called.flatMap((call): readonly Turn[] =>
        call.type === 'tool-call' ? [{ role: 'tool', callId: call.callId, kind: call.kind, at, ...result }] : [],
      ),
      { role: 'user', content: [{ type: 'text', text: 'Next' }], at },
    ])
  return fc.tuple(fc.array(fc.oneof(system, user), { maxLength: 3 }), answered).map((groups) => groups.flat())
}

const tools = fc
  .array(
    fc.oneof(
      fc
        .tuple(jsonObject, maybe({ description: words, strict: fc.boolean() }))
        .map(([parameters, more]) => ({ type: 'function' as const, parameters, ...more })),
      fc
        .tuple(words, words, maybe({ description: words }))
        .map(([syntax, definition, more]) => ({ type: 'custom' as const, grammar: { syntax, definition }, ...more })),
    ),
    { maxLength: 4 },
  )
  .map((list) => list.map((tool, index): ConversationTool => ({ ...tool, name: `tool_${index}`, at })))

const settings: fc.Arbitrary<ConversationSettings> = maybe<ConversationSettings>({
  maxOutputTokens: fc.integer({ min: 1, max: 99_999 }),
  temperature: fc.integer({ min: 0, max: 2 }),
  topP: fc.constantFrom(0.5, 1),
  stop: fc.array(words, { minLength: 1, maxLength: 6 }),
  presencePenalty: fc.integer({ min: -2, max: 2 }),
  frequencyPenalty: fc.integer({ min: -2, max: 2 }),
  seed: fc.nat(),
  choices: fc.integer({ min: 2, max: 9 }),
  logitBias: fc.constant({ '50256': -100 }),
  logProbabilities: fc.integer({ min: 0, max: 20 }),
  reasoning: fc.constantFrom('low', 'high').map((effort) => ({ effort })),
  verbosity: fc.constantFrom('low', 'high'),
  user: identifier,
  safetyIdentifier: identifier,
  serviceTier: identifier,
  promptCacheKey: identifier,
  promptCacheRetention: fc.constant('24h'),
})

const requestOf = (
  dialect: ConversationRequest['dialect'],
  turns: fc.Arbitrary<readonly Turn[]>,
): fc.Arbitrary<ConversationRequest> =>
  fc
    .record({
      turns,
      tools,
      settings,
      stream: fc.boolean(),
      choose: fc.constantFrom('none', 'auto', 'required', 'tool', undefined),
      format: fc.option(
        fc.oneof(
          fc.constant({ type: 'json' as const }),
          fc
            .tuple(jsonObject, identifier, maybe({ description: words, strict: fc.boolean() }))
            .map(([schema, name, more]) => ({ type: 'schema' as const, schema, name, ...more })),
        ),
        { nil: undefined },
      ),
    })
    .map(({ choose, format, ...request }): ConversationRequest => {
      const [tool] = request.tools
      const choice =
        choose === 'tool' && tool && (tool.type === 'function' || tool.type === 'custom')
          ? { type: choose, name: tool.name, kind: tool.type }
          : { type: choose === 'tool' || choose === undefined ? ('auto' as const) : choose }
      return {
        dialect,
        ...request,
        ...(tool ? { toolChoice: choice, parallelToolCalls: false } : {}),
        ...(format ? { format } : {}),
        names: {},
        extra: {},
      }
    })

/** Requests of clients of chat completions, with the extensions that only they have. */
export const arbitraryChatRequest = fc
  .tuple(
    requestOf('chat', turnsOf(fc.oneof(marked(text), marked(image), audio, marked(file), foreign), true)),
    maybe({ metadata: fc.constant({ a: '' }), store: fc.boolean(), topK: fc.nat() }),
    jsonObject,
  )
  .map(
    ([request, more, extra]): ConversationRequest => ({
      ...request,
      settings: { ...request.settings, ...more },
      extra: Object.fromEntries(
        Object.entries(extra).flatMap(([name, value]) => (value === null ? [] : [[`x_${name}`, value]])),
      ),
    }),
  )

/** Requests of other dialects, with what chat completions carry of them. */
export const arbitraryPlainRequest = requestOf('responses', turnsOf(fc.oneof(text, image, audio, file), false))
