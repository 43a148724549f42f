import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import type { OutputPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr } from '../json-values.ts'
import { citationOf, documentCitationsOf } from './citations.ts'
import { shownReasoning, signatureOf } from './signatures.ts'
import { type AnswerBlockOptions, blocksOf, callHead, hasReasoning } from './write-answer.ts'

export interface BlockWriterOptions extends AnswerBlockOptions {
  /** Counts the blocks of the stream. */
  readonly nextIndex: () => number
}

type Addition = Extract<ConversationEvent, { readonly type: 'text' | 'summary' | 'annotation' }>

/** Writes the events of one part. */
export interface BlockWriter {
  start(): readonly JsonObject[]
  add(event: Addition): readonly JsonObject[]
  /** @param part the complete part; without it, the part was cut */
  end(part?: OutputPart): readonly JsonObject[]
}

export function blockWriter(first: OutputPart, options: BlockWriterOptions): BlockWriter {
  switch (first.type) {
    case 'text':
    case 'refusal':
      return textWriter(options)
    case 'reasoning':
      return reasoningWriter(options)
    case 'tool-call':
      return first.kind === 'custom' ? wholeWriter(first, options) : callWriter(callHead(first, options), options)
    default:
      return wholeWriter(first, options)
  }
}

const stopOf = (index: number): JsonObject => ({ type: 'content_block_stop', index })

const deltaOf = (index: number, delta: JsonObject): JsonObject => ({ type: 'content_block_delta', index, delta })

const startOf = (index: number, block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block: block,
})

/** Creates a block that opens with its first addition, so that a part without content leaves no block. */
function lazyBlock(block: JsonObject, { nextIndex }: BlockWriterOptions) {
  let index: number | undefined
  return {
    get isOpen() {
      return index !== undefined
    },
    delta(delta: JsonObject): readonly JsonObject[] {
      if (index !== undefined) return [deltaOf(index, delta)]
      index = nextIndex()
      return [startOf(index, block), deltaOf(index, delta)]
    },
    stop: (): readonly JsonObject[] => (index === undefined ? [] : [stopOf(index)]),
  }
}

function textWriter(options: BlockWriterOptions): BlockWriter {
  const block = lazyBlock({ type: 'text', text: '' }, options)
  const add: BlockWriter['add'] = (event) => {
    if (event.type === 'annotation')
      return block.delta({ type: 'citations_delta', citation: citationOf(event.annotation) })
    return event.text === '' ? [] : block.delta({ type: 'text_delta', text: event.text })
  }
  return {
    start: () => [],
    add,
    end: (part) => {
      const whole = part?.type === 'text' || part?.type === 'refusal' ? part.text : ''
      const late = block.isOpen || whole === '' ? [] : block.delta({ type: 'text_delta', text: whole })
      const documents = part?.type === 'text' ? documentCitationsOf(part) : []
      const cited = documents.flatMap((citation) => block.delta({ type: 'citations_delta', citation }))
      return [...late, ...cited, ...block.stop()]
    },
  }
}

/** Summaries follow the text and each other after an empty line, as {@link shownReasoning} has them. */
function reasoningWriter(options: BlockWriterOptions): BlockWriter {
  const block = lazyBlock({ type: 'thinking', thinking: '', signature: '' }, options)
  let last: number | 'text' | undefined
  const think = (thinking: string): readonly JsonObject[] =>
    thinking === '' ? [] : block.delta({ type: 'thinking_delta', thinking })
  return {
    start: () => [],
    add: (event) => {
      if (event.type === 'annotation') return []
      const current = event.type === 'text' ? 'text' : event.summary
      const isNext = last !== undefined && last !== current
      last = current
      return think(isNext ? `\n\n${event.text}` : event.text)
    },
    end: (part) => {
      if (part?.type !== 'reasoning') return block.stop()
      if (part.redacted !== undefined) return [...block.stop(), ...wholeBlocks(part, options)]
      if (!block.isOpen && !hasReasoning(part)) return []
      const late = block.isOpen ? [] : think(shownReasoning(part))
      return [...late, ...block.delta({ type: 'signature_delta', signature: signatureOf(part) }), ...block.stop()]
    },
  }
}

function callWriter(head: JsonObject, { nextIndex }: BlockWriterOptions): BlockWriter {
  const index = nextIndex()
  let isEmpty = true
  const append = (json: string): readonly JsonObject[] => {
    if (json === '') return []
    isEmpty = false
    return [deltaOf(index, { type: 'input_json_delta', partial_json: json })]
  }
  return {
    start: () => [startOf(index, { ...head, input: {} })],
    add: (event) => (event.type === 'text' ? append(event.text) : []),
    end: (part) => [...(isEmpty && part?.type === 'tool-call' ? append(part.input) : []), stopOf(index)],
  }
}

/** Writes a part when it is complete: searches with their results, custom tools, blocks of Anthropic. */
function wholeWriter(first: OutputPart, options: BlockWriterOptions): BlockWriter {
  return {
    start: () => [],
    add: () => [],
    end: (part) => wholeBlocks(part ?? first, options),
  }
}

function wholeBlocks(part: OutputPart, options: BlockWriterOptions): readonly JsonObject[] {
  return blocksOf(part, options).flatMap((block) => wholeBlock(block, options.nextIndex()))
}

/** Clients read the input of a call from its deltas. */
function wholeBlock(block: JsonObject, index: number): readonly JsonObject[] {
  const isCall = block.type === 'tool_use' || block.type === 'server_tool_use'
  if (!isCall) return [startOf(index, block), stopOf(index)]
  return [
    startOf(index, { ...block, input: {} }),
    deltaOf(index, { type: 'input_json_delta', partial_json: JSON.stringify(objectOr(block.input)) }),
    stopOf(index),
  ]
}
