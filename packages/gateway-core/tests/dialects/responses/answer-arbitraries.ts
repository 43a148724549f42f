import * as fc from 'fast-check'
import type { ConversationAnswer, ConversationEvent } from '../../../src/dialects/conversation/conversation-answer.ts'
import type { OutputPart } from '../../../src/dialects/conversation/conversation-parts.ts'
import { outputPart } from './part-arbitraries.ts'

const count = fc.nat(1_000_000)

/** Answers of which responses carry all. */
export const answer: fc.Arbitrary<ConversationAnswer> = fc
  .tuple(
    fc.array(outputPart, { maxLength: 5 }),
    fc.constantFrom('stop', 'length', 'content-filter'),
    fc.record({ inputTokens: count, outputTokens: count, cachedTokens: count, cacheWriteTokens: count }),
    count,
    fc.record({ serviceTier: fc.constantFrom('default', 'flex') }),
  )
  .map(([content, reason, counts, reasoningTokens, optional]) => {
    const searches = content.filter(({ type }) => type === 'search-call').length
    return {
      id: 'resp_1',
      model: 'm',
      created: 1_700_000_000,
      content,
      ending: { reason: reason === 'stop' && content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : reason },
      usage: { ...counts, reasoningTokens, ...(searches > 0 ? { searches } : {}) },
      ...optional,
    }
  })

/** Returns the steps of a stream with this answer, each text in pieces of 3 characters. */
export function stepsOf({ id, model, created, content, ...finish }: ConversationAnswer): readonly ConversationEvent[] {
  return [
    { type: 'start', id, model, created },
    ...content.flatMap((part, index): readonly ConversationEvent[] => [
      { type: 'part', index, part: emptyOf(part) },
      ...additionsOf(part, index),
      { type: 'part-end', index, part },
    ]),
    { type: 'finish', ...finish },
  ]
}

function emptyOf(part: OutputPart): OutputPart {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: part.type, text: '' }
    case 'reasoning':
      return { type: 'reasoning', text: '', summary: [], ...(part.id === undefined ? {} : { id: part.id }) }
    case 'tool-call':
      return { ...part, input: '' }
    case 'search-call':
      return { type: 'search-call', id: part.id, query: '' }
    default:
      return part
  }
}

function additionsOf(part: OutputPart, index: number): readonly ConversationEvent[] {
  switch (part.type) {
    case 'text': {
      const [first = '', ...others] = piecesOf(part.text)
      const { logProbabilities, annotations = [] } = part
      const begins = first !== '' || logProbabilities !== undefined
      return [
        ...(begins
          ? [{ type: 'text' as const, index, text: first, ...(logProbabilities ? { logProbabilities } : {}) }]
          : []),
        ...others.map((text) => ({ type: 'text' as const, index, text })),
        ...annotations.map((annotation) => ({ type: 'annotation' as const, index, annotation })),
      ]
    }
    case 'refusal':
      return piecesOf(part.text).map((text) => ({ type: 'text', index, text }))
    case 'tool-call':
      return piecesOf(part.input).map((text) => ({ type: 'text', index, text }))
    case 'reasoning':
      return [
        ...piecesOf(part.text).map((text) => ({ type: 'text' as const, index, text })),
        ...part.summary.flatMap((one, summary) =>
          piecesOf(one).map((text) => ({ type: 'summary' as const, index, summary, text })),
        ),
      ]
    default:
      return []
  }
}

const piecesOf = (text: string): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / 3) }, (_, piece) => text.slice(3 * piece, 3 * piece + 3))
