import { isObject } from '../../chat/is-object.ts'
import { objectOr } from '../../dialects/json-values.ts'
import type { StreamTexts, TextPiece } from './stream-texts.ts'

/** The members of deltas and of blocks that have a piece of a text. */
const texts: readonly string[] = ['text', 'thinking', 'partial_json']

/** Texts of Anthropic's messages. */
export function messageTexts(): StreamTexts {
  const open = new Set<unknown>()
  let outputTokens: unknown = 0

  return {
    end: undefined,
    repeats: false,
    isNamed: true,
    pieces(event) {
      const { type, index } = event
      const within = type === 'content_block_delta' ? 'delta' : type === 'content_block_start' ? 'content_block' : ''
      const part = objectOr(event[within])
      return texts.flatMap((name): readonly TextPiece[] => {
        const text = part[name]
        if (typeof text !== 'string' || text === '') return []
        const types: Readonly<Record<string, string>> = {
          text: 'text_delta',
          thinking: 'thinking_delta',
          partial_json: 'input_json_delta',
        }
        return [
          {
            slot: { place: { parent: { parent: undefined, key: within }, key: name }, text, kind: 'text' },
            key: `${index}/${name}`,
            isJson: name === 'partial_json',
            rest: (rest) => ({ type: 'content_block_delta', index, delta: { type: types[name], [name]: rest } }),
          },
        ]
      })
    },
    ends({ type, index, delta }, key) {
      // A signature follows all of the thinking.
      if (type === 'content_block_delta')
        return objectOr(delta).type === 'signature_delta' && key === `${index}/thinking`
      if (type === 'content_block_stop') return key.startsWith(`${index}/`)
      return type === 'message_delta' || type === 'message_stop'
    },
    fails: ({ type }) => type === 'error',
    checked: (event) => event,
    isBare: ({ type }) => type === 'content_block_delta',
    passed(event) {
      const { type, index, message, usage } = event
      if (type === 'content_block_start') open.add(index)
      if (type === 'content_block_stop') open.delete(index)
      const reported = type === 'message_start' ? objectOr(message).usage : usage
      if (isObject(reported)) outputTokens = reported.output_tokens ?? outputTokens
      return event
    },
    isLast: ({ type }) => type === 'message_stop',
    answerIn: () => undefined,
    blocked: () => [
      ...[...open].map((index) => ({ type: 'content_block_stop', index })),
      {
        type: 'message_delta',
        delta: { stop_reason: 'refusal', stop_sequence: null },
        usage: { output_tokens: outputTokens },
      },
      { type: 'message_stop' },
    ],
  }
}
