import { textPieces } from '../requests/text-pieces.ts'
import type { ConversationAnswer, ConversationEvent } from './conversation-answer.ts'
import type { OutputPart } from './conversation-parts.ts'

/** Returns the steps of a stream that give the same answer as a complete one. */
export function answerEvents(answer: ConversationAnswer): readonly ConversationEvent[] {
  const { id, model, created, content, ending, usage, serviceTier } = answer
  return [
    { type: 'start', id, model, created, ...(usage && { usage }) },
    ...content.flatMap(partEvents),
    { type: 'finish', ending, ...(usage && { usage }), ...(serviceTier !== undefined && { serviceTier }) },
  ]
}

function partEvents(part: OutputPart, index: number): readonly ConversationEvent[] {
  return [{ type: 'part', index, part: emptyOf(part) }, ...additionsOf(part, index), { type: 'part-end', index, part }]
}

/** Returns the part as it begins: without its texts. */
function emptyOf(part: OutputPart): OutputPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: '' }
    case 'refusal':
      return { ...part, text: '' }
    case 'reasoning':
      return { type: 'reasoning', text: '', summary: [], ...(part.id !== undefined && { id: part.id }) }
    case 'tool-call':
      return { ...part, input: '' }
    default:
      return part
  }
}

function additionsOf(part: OutputPart, index: number): readonly ConversationEvent[] {
  switch (part.type) {
    case 'text':
      return [
        ...textEvent(index, part.text, part.logProbabilities),
        ...(part.annotations ?? []).map((annotation) => ({ type: 'annotation' as const, index, annotation })),
      ]
    case 'refusal':
      return textEvent(index, part.text)
    case 'reasoning':
      return [
        ...part.summary.map((text, summary) => ({ type: 'summary' as const, index, summary, text })),
        ...textEvent(index, part.text),
      ]
    case 'tool-call':
      return textEvent(index, part.input)
    default:
      return []
  }
}

/** A long text is several steps, which are written in a turn of the event loop each. */
const textEvent = (index: number, text: string, logProbabilities?: readonly unknown[]): readonly ConversationEvent[] =>
  text === ''
    ? []
    : textPieces(text).map((piece, place) => ({
        type: 'text',
        index,
        text: piece,
        ...(place === 0 && logProbabilities && { logProbabilities }),
      }))
