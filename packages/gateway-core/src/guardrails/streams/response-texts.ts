import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../../dialects/dialect.ts'
import { numberIn, objectOf, present } from '../../dialects/json-values.ts'
import { ownMembers } from '../response-members.ts'
import type { StreamTexts } from './stream-texts.ts'

const DELTA = '.delta'
const DONE = '.done'
/** Sound in Base64. */
const sounds: ReadonlySet<string> = new Set(['response.audio', 'response.output_audio'])
/** Events with a response whose other members repeat the request. */
const whole: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

/** Texts of OpenAI's responses. */
export function responseTexts(): StreamTexts {
  let head: JsonObject = { object: 'response' }
  const output: JsonObject[] = []
  let sequence: number | undefined

  return {
    end: undefined,
    repeats: true,
    isNamed: true,
    pieces(event) {
      const { type, delta } = event
      if (typeof type !== 'string' || !type.endsWith(DELTA) || typeof delta !== 'string' || delta === '') return []
      const base = type.slice(0, -DELTA.length)
      if (sounds.has(base)) return []
      return [
        {
          slot: { place: { parent: undefined, key: 'delta' }, text: delta, kind: 'text' },
          key: keyOf(base, event),
          isJson: base.endsWith('_arguments'),
          rest: (rest) => ({ ...placeOf(event), delta: rest }),
        },
      ]
    },
    ends(event, key) {
      const { type, response, output_index: index } = event
      if (isObject(response)) return whole.has(type)
      if (type === 'response.output_item.done') return key.split('|')[2] === String(index)
      if (typeof type !== 'string' || !type.endsWith(DONE)) return false
      return key === keyOf(type.slice(0, -DONE.length), event)
    },
    fails: ({ type }) => type === 'error',
    checked: ({ type, response, ...event }) =>
      isObject(response) ? { ...event, response: ownMembers(response) } : event,
    isBare: ({ type, delta }) => typeof type === 'string' && type.endsWith(DELTA) && delta === '',
    passed(event) {
      const { type, response, item, sequence_number: number } = event
      const known = objectOf(response)
      if (known && !whole.has(type)) head = known
      const done = type === 'response.output_item.done' ? objectOf(item) : undefined
      if (done) output.push(done)
      if (typeof number !== 'number') return event
      sequence = sequence === undefined ? number : sequence + 1
      return number === sequence ? event : { ...event, sequence_number: sequence }
    },
    isLast: ({ type }) => whole.has(type) && type !== 'response.failed',
    answerIn: ({ type, response }) => (whole.has(type) ? objectOf(response) : undefined),
    blocked() {
      const response = {
        ...head,
        status: 'incomplete',
        incomplete_details: { reason: 'content_filter' },
        output: [...output],
      }
      return [{ type: 'response.incomplete', sequence_number: (sequence ?? -1) + 1, response }]
    },
  }
}

/** Returns where the text of an event is, without members whose texts are checked. */
const placeOf = ({
  type,
  item_id,
  output_index,
  content_index,
  summary_index,
  sequence_number,
}: JsonObject): JsonObject =>
  present({
    type,
    item_id,
    output_index: numberIn(output_index),
    content_index: numberIn(content_index),
    summary_index: numberIn(summary_index),
    sequence_number: numberIn(sequence_number),
  })

const keyOf = (base: string, event: JsonObject): string =>
  [base, event.item_id, event.output_index, event.content_index, event.summary_index].map(String).join('|')
