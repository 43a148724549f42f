import type { ChatCompletionChunk, ChatDelta, FinishReason } from '@trivium/gateway-core/ports'
import type { StreamPart } from '../language-model.ts'
import type { AnswerDefaults } from './completion.ts'
import { annotation, image } from './content.ts'
import { streamFinishReason } from './finish-reason.ts'
import { usage } from './usage.ts'

export interface ChunkTranslation {
  /**
   * Converts a part to chunks. Ignores `error` parts, which the caller handles.
   *
   * @throws ProviderFailure for an improper end
   */
  translate(part: StreamPart): readonly ChatCompletionChunk[]
  /** Whether the model ended its answer. */
  readonly complete: boolean
}

interface OpenCall {
  readonly index: number
  /** Input in a format other than JSON is withheld until the call is complete. */
  readonly isJson: boolean
  empty: boolean
}

/** @param includeUsage whether every chunk has a `usage`, as clients that request it expect */
export function chunkTranslation(
  { id: defaultId, model: defaultModel, now }: AnswerDefaults,
  includeUsage: boolean,
): ChunkTranslation {
  let head = { id: defaultId, created: Math.floor(now.getTime() / 1000), model: defaultModel }
  let begun = false
  let complete = false
  let length = 0
  const calls = new Map<string, OpenCall>()
  const noUsageYet = includeUsage ? { usage: null } : {}

  const chunk = (delta: ChatDelta, finish_reason: FinishReason | null = null): ChatCompletionChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...noUsageYet,
  })
  const output = (...deltas: readonly ChatDelta[]): readonly ChatCompletionChunk[] => {
    const first = begun ? [] : [chunk({ role: 'assistant', content: '', refusal: null })]
    begun = true
    return [...first, ...deltas.map((delta) => chunk(delta))]
  }
  const openCall = (callId: string, name: string, isJson: boolean): readonly ChatCompletionChunk[] => {
    const index = calls.size
    calls.set(callId, { index, isJson, empty: true })
    return output({ tool_calls: [{ index, id: callId, type: 'function', function: { name, arguments: '' } }] })
  }
  const callInput = (call: OpenCall, input: string): readonly ChatCompletionChunk[] => {
    if (input === '') return []
    call.empty = false
    return output({ tool_calls: [{ index: call.index, function: { arguments: input } }] })
  }

  return {
    translate: (part) => {
      switch (part.type) {
        case 'response-metadata':
          head = {
            id: part.id ?? head.id,
            created: part.timestamp ? Math.floor(part.timestamp.getTime() / 1000) : head.created,
            model: part.modelId ?? head.model,
          }
          return []
        case 'text-delta':
          length += part.delta.length
          return part.delta === '' ? [] : output({ content: part.delta })
        case 'reasoning-delta':
          return part.delta === '' ? [] : output({ reasoning_content: part.delta })
        case 'tool-input-start':
          if (part.providerExecuted === true) return []
          return openCall(part.id, part.toolName, !('inputEncoding' in part) || part.inputEncoding !== 'text')
        case 'tool-input-delta': {
          const call = calls.get(part.id)
          return call?.isJson ? callInput(call, part.delta) : []
        }
        case 'tool-call': {
          if (part.providerExecuted === true) return []
          const opened = calls.has(part.toolCallId) ? [] : openCall(part.toolCallId, part.toolName, true)
          const call = calls.get(part.toolCallId)
          return [...opened, ...(call?.empty ? callInput(call, part.input) : [])]
        }
        case 'source':
          return part.sourceType === 'url' ? output({ annotations: [annotation(part, length)] }) : []
        case 'file': {
          const images = image(part)
          return images.length > 0 ? output({ images }) : []
        }
        case 'finish': {
          const reason = streamFinishReason(part.finishReason)
          const counted = usage(part.usage)
          complete = true
          return [
            ...output(),
            chunk({}, reason),
            ...(counted ? [{ ...head, object: 'chat.completion.chunk' as const, choices: [], usage: counted }] : []),
          ]
        }
        default:
          return []
      }
    },
    get complete() {
      return complete
    },
  }
}
