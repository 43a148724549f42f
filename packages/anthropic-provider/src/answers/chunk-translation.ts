import type { ChatCompletionChunk, ChatDelta, FinishReason } from '@trivium/gateway-core/ports'
import { isObject, type JsonObject, objectOr, textOr } from '@trivium/provider-kit/answers'
import { annotation } from './annotation.ts'
import { finishReason } from './finish-reason.ts'
import { usage, withCounts } from './usage.ts'

export interface ChunkTranslationOptions {
  /** The time of every chunk, in Unix seconds. */
  readonly created: number
  /** Whether every chunk has a `usage`, as clients that request it expect. The last one always has it. */
  readonly includeUsage: boolean
}

/** Converts the events of one message stream to chunks, one event at a time. */
export interface ChunkTranslation {
  /** Converts one event. Unknown events are ignored. @param event its parsed data */
  translate(event: JsonObject): readonly ChatCompletionChunk[]
  /** Whether the message is complete. A stream that closes before was cut off. */
  readonly complete: boolean
}

interface OpenBlock {
  readonly type: unknown
  /** The index in `tool_calls`. */
  readonly call: number
  readonly signed: { thinking: string; signature: string }
  readonly redacted: unknown
  /** The offset of its text in the whole answer. */
  readonly start: number
  empty: boolean
}

export function chunkTranslation({ created, includeUsage }: ChunkTranslationOptions): ChunkTranslation {
  let id = ''
  let model = ''
  let complete = false
  let stopReason: unknown
  let calls = 0
  let length = 0
  let counts: JsonObject = {}
  const open = new Map<unknown, OpenBlock>()

  const head = () => ({ id, object: 'chat.completion.chunk' as const, created, model })
  const noUsageYet = includeUsage ? { usage: null } : {}
  const chunk = (delta: ChatDelta, finish_reason: FinishReason | null = null): readonly ChatCompletionChunk[] => [
    { ...head(), choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...noUsageYet },
  ]
  const count = (more: unknown) => {
    counts = withCounts(counts, more)
  }
  const text = (value: unknown): readonly ChatCompletionChunk[] => {
    const content = textOr(value)
    length += content.length
    return content === '' ? [] : chunk({ content })
  }
  const fragment = (block: OpenBlock, json: string): readonly ChatCompletionChunk[] => {
    if (json === '') return []
    block.empty = false
    return chunk({ tool_calls: [{ index: block.call, function: { arguments: json } }] })
  }

  const startChunks = (index: unknown, block: JsonObject): readonly ChatCompletionChunk[] => {
    const opened: OpenBlock = {
      type: block.type,
      call: block.type === 'tool_use' ? calls++ : -1,
      signed: { thinking: '', signature: textOr(block.signature) },
      redacted: block.data,
      start: length,
      empty: true,
    }
    open.set(index, opened)
    if (block.type === 'text') return text(block.text)
    if (block.type === 'thinking') return thinkingChunks(opened, block.thinking)
    if (block.type !== 'tool_use') return []
    const call = { index: opened.call, id: textOr(block.id), type: 'function' as const }
    const whole = Object.keys(objectOr(block.input)).length > 0 ? JSON.stringify(block.input) : ''
    return [
      ...chunk({ tool_calls: [{ ...call, function: { name: textOr(block.name), arguments: '' } }] }),
      ...fragment(opened, whole),
    ]
  }

  const thinkingChunks = (block: OpenBlock, value: unknown): readonly ChatCompletionChunk[] => {
    const reasoning_content = textOr(value)
    block.signed.thinking += reasoning_content
    return reasoning_content === '' ? [] : chunk({ reasoning_content })
  }

  const deltaChunks = (block: OpenBlock, delta: JsonObject): readonly ChatCompletionChunk[] => {
    switch (delta.type) {
      case 'text_delta':
        return text(delta.text)
      case 'input_json_delta':
        return block.type === 'tool_use' ? fragment(block, textOr(delta.partial_json)) : []
      case 'thinking_delta':
        return thinkingChunks(block, delta.thinking)
      case 'signature_delta':
        block.signed.signature += textOr(delta.signature)
        return []
      case 'citations_delta': {
        const annotations = annotation(objectOr(delta.citation), { start: block.start, end: length })
        return annotations.length > 0 ? chunk({ annotations }) : []
      }
      default:
        return []
    }
  }

  const stopChunks = (block: OpenBlock): readonly ChatCompletionChunk[] => {
    switch (block.type) {
      case 'tool_use':
        return block.empty ? fragment(block, '{}') : []
      case 'thinking':
        return chunk({ thinking_blocks: [{ type: 'thinking', ...block.signed }] })
      case 'redacted_thinking':
        return chunk({ thinking_blocks: [{ type: 'redacted_thinking', data: block.redacted }] })
      default:
        return []
    }
  }

  const endChunks = (): readonly ChatCompletionChunk[] => {
    complete = true
    return [...chunk({}, finishReason(stopReason)), { ...head(), choices: [], usage: usage(counts) }]
  }

  return {
    translate: (event) => {
      switch (event.type) {
        case 'message_start': {
          const message = objectOr(event.message)
          id = textOr(message.id)
          model = textOr(message.model)
          count(message.usage)
          return chunk({ role: 'assistant', content: '', refusal: null })
        }
        case 'content_block_start':
          return startChunks(event.index, objectOr(event.content_block))
        case 'content_block_delta': {
          const block = open.get(event.index)
          return block && isObject(event.delta) ? deltaChunks(block, event.delta) : []
        }
        case 'content_block_stop': {
          const block = open.get(event.index)
          open.delete(event.index)
          return block ? stopChunks(block) : []
        }
        case 'message_delta':
          stopReason = objectOr(event.delta).stop_reason ?? stopReason
          count(event.usage)
          return []
        case 'message_stop':
          return complete ? [] : endChunks()
        default:
          return []
      }
    },
    get complete() {
      return complete
    },
  }
}
