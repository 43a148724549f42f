import * as fc from 'fast-check'
import type { ConversationAnswer, ConversationEvent } from '../../src/dialects/conversation/conversation-answer.ts'
import type { OutputPart } from '../../src/dialects/conversation/conversation-parts.ts'
import type { JsonObject } from '../../src/dialects/dialect.ts'

export const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
export const identifier = fc.stringMatching(/^[a-z][a-z0-9_-]{0,11}$/)
export const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))

/** Makes members optional, each absent in some values. */
export const maybe = <Members extends object>(members: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> }) =>
  fc.record<Members, never>(members, { requiredKeys: [] })

/** A JSON object that survives encoding. */
export const jsonObject = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)))

export const webUrl = identifier.map((name) => `https://example.com/${name}`)

/** The bytes or the address of an image. */
export const imageSource = fc.oneof(
  base64.map((data) => ({ type: 'base64' as const, mediaType: 'image/png', data })),
  webUrl.map((url) => ({ type: 'url' as const, url })),
)

const usage = fc
  .record({ inputTokens: fc.nat(), outputTokens: fc.nat() })
  .chain((counts) =>
    maybe({ cachedTokens: fc.nat(), cacheWriteTokens: fc.nat(), reasoningTokens: fc.nat(), searches: fc.nat() }).map(
      (details) => ({ ...counts, ...details }),
    ),
  )

const annotationsOf = (text: string) =>
  fc.array(
    fc
      .record({ url: webUrl, title: words, start: fc.nat({ max: text.length }) })
      .chain((source) =>
        fc.nat({ max: text.length - source.start }).map((length) => ({ ...source, end: source.start + length })),
      ),
    { maxLength: 2 },
  )

const text = words.chain((value) =>
  annotationsOf(value).map(
    (annotations): OutputPart => ({ type: 'text', text: value, ...(annotations.length > 0 ? { annotations } : {}) }),
  ),
)
const reasoning = words.map((value): OutputPart => ({ type: 'reasoning', text: value, summary: [] }))
const signed = fc
  .tuple(words, words)
  .map(([value, signature]): OutputPart => ({ type: 'reasoning', text: value, summary: [], signature }))
const redacted = words.map((value): OutputPart => ({ type: 'reasoning', text: '', summary: [], redacted: value }))

/** A call of a function or of a custom tool, whose id counts. */
export const callAt = (index: number) =>
  fc.oneof(
    fc.tuple(identifier, jsonObject).map(
      ([name, input]): OutputPart => ({
        type: 'tool-call',
        callId: `call_${index}`,
        kind: 'function',
        name,
        input: JSON.stringify(input),
      }),
    ),
    fc
      .tuple(identifier, words)
      .map(
        ([name, input]): OutputPart => ({ type: 'tool-call', callId: `call_${index}`, kind: 'custom', name, input }),
      ),
  )

/** Calls with ids that differ. */
export const calls = fc
  .nat({ max: 3 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => callAt(index))))

/** What a model says, in the order of chat completions. */
export const outputParts: fc.Arbitrary<readonly OutputPart[]> = fc
  .tuple(
    fc.oneof(fc.array(fc.oneof(signed, redacted), { maxLength: 3 }), fc.array(reasoning, { maxLength: 1 })),
    fc.array(text, { maxLength: 1 }),
    fc.array(
      words.map((value): OutputPart => ({ type: 'refusal', text: value })),
      { maxLength: 1 },
    ),
    fc.array(
      imageSource.map((source): OutputPart => ({ type: 'image', source })),
      { maxLength: 2 },
    ),
    calls,
  )
  .map((groups) => groups.flat())

/** A whole answer that every dialect's own ids and words are kept in. */
export const arbitraryAnswer: fc.Arbitrary<ConversationAnswer> = fc
  .record({
    id: identifier,
    model: identifier,
    created: fc.nat(),
    content: outputParts,
    reason: fc.constantFrom('stop' as const, 'length' as const, 'content-filter' as const),
  })
  .chain(({ reason, ...answer }) => {
    const called = answer.content.some(({ type }) => type === 'tool-call')
    const ending = { reason: called && reason === 'stop' ? ('tool-calls' as const) : reason }
    return maybe({ usage, serviceTier: identifier }).map((more) => ({ ...answer, ...more, ending }))
  })

/** Cuts a text into pieces of at most `size` characters, never inside a character. */
export function pieces(value: string, size: number): readonly string[] {
  const characters = [...value]
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
}

const textOf = (part: OutputPart): string => {
  if (part.type === 'tool-call') return part.input
  return part.type === 'text' || part.type === 'refusal' || part.type === 'reasoning' ? part.text : ''
}

function emptied(part: OutputPart): OutputPart {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: part.type, text: '' }
    case 'reasoning':
      return part.redacted === undefined ? { type: part.type, text: '', summary: [] } : part
    case 'tool-call':
      return { ...part, input: '' }
    default:
      return part
  }
}

/** Returns the steps in which an upstream streams an answer. Its calls end together, as those of chat completions. */
export function eventsOf(answer: ConversationAnswer, size: number): readonly ConversationEvent[] {
  const { id, model, created, content, ending, usage: counts, serviceTier } = answer
  const parts = content.map((part, index): readonly ConversationEvent[] => [
    { type: 'part', index, part: emptied(part) },
    ...pieces(textOf(part), size).map((value): ConversationEvent => ({ type: 'text', index, text: value })),
    ...(part.type === 'text' ? (part.annotations ?? []) : []).map(
      (annotation): ConversationEvent => ({ type: 'annotation', index, annotation }),
    ),
    ...(part.type === 'tool-call' ? [] : [{ type: 'part-end' as const, index, part }]),
  ])
  return [
    { type: 'start', id, model, created },
    ...parts.flat(),
    ...content.flatMap((part, index): readonly ConversationEvent[] =>
      part.type === 'tool-call' ? [{ type: 'part-end', index, part }] : [],
    ),
    {
      type: 'finish',
      ending,
      ...(counts === undefined ? {} : { usage: counts }),
      ...(serviceTier === undefined ? {} : { serviceTier }),
    },
  ]
}
