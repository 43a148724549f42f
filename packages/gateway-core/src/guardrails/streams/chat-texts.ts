import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../../dialects/dialect.ts'
import { objectOr, objectsOf } from '../../dialects/json-values.ts'
import { type Place, pathOf, type TextSlot, textSlots } from '../texts/text-slots.ts'
import type { StreamTexts, TextPiece } from './stream-texts.ts'

/** Texts of chat completions, and of the older completions. */
export function chatTexts(): StreamTexts {
  let head: JsonObject = { object: 'chat.completion.chunk' }
  const open = new Map<unknown, boolean>()

  const piecesOf = (event: JsonObject, choice: JsonObject, at: number): readonly TextPiece[] => {
    const places: Place = { parent: { parent: undefined, key: 'choices' }, key: at }
    const { delta, text, index } = choice
    const within = (part: unknown, key: string) => [...pieceSlots(part, { parent: places, key })]
    const slots: TextSlot[] = isObject(delta) ? within(delta, 'delta') : []
    if (typeof text === 'string' && text !== '')
      slots.push({ place: { parent: places, key: 'text' }, text, kind: 'text' })
    return slots.map((slot) => {
      const path = pathOf(slot.place).slice(2)
      const { usage, ...shared } = event
      return {
        slot,
        key: keyOf(index, choice, path),
        isJson: path.at(-1) === 'arguments',
        rest: (rest) => ({
          ...shared,
          choices: [{ index, ...objectOr(restOf(choice, path, rest)), finish_reason: null }],
        }),
      }
    })
  }

  return {
    end: '[DONE]',
    repeats: false,
    isNamed: false,
    pieces: (event) => objectsOf(event.choices).flatMap((choice, at) => piecesOf(event, choice, at)),
    ends: ({ choices }, key) =>
      objectsOf(choices).some(
        ({ index, finish_reason: reason }) => typeof reason === 'string' && key.startsWith(`${index}/`),
      ),
    checked: (event) => event,
    isBare: ({ choices, usage }) =>
      !isObject(usage) && objectsOf(choices).length > 0 && objectsOf(choices).every(isBareChoice),
    passed(event) {
      const { usage, choices, ...shared } = event
      if (choices !== undefined) head = shared
      for (const { index, finish_reason: reason } of objectsOf(choices)) open.set(index, typeof reason !== 'string')
      return event
    },
    isLast: () => false,
    answerIn: () => undefined,
    blocked() {
      if (open.size === 0) open.set(0, true)
      const indexes = [...open].flatMap(([index, isOpen]) => (isOpen ? [index] : []))
      const delta = head.object === 'text_completion' ? { text: '' } : { delta: {} }
      return [{ ...head, choices: indexes.map((index) => ({ index, ...delta, finish_reason: 'content_filter' })) }]
    },
  }
}

/** Yields the texts of a delta, with JSON as one text. */
function* pieceSlots(value: unknown, place: Place): Generator<TextSlot> {
  for (const slot of textSlots({ [place.key]: value }, place.parent)) {
    if (!pathOf(slot.place).includes('arguments') && slot.kind === 'text') yield slot
  }
  yield* argumentSlots(value, place)
}

/** Yields the parts of `arguments`, which are not JSON by themselves. */
function* argumentSlots(value: unknown, place: Place): Generator<TextSlot> {
  if (Array.isArray(value)) {
    for (const [key, member] of value.entries()) yield* argumentSlots(member, { parent: place, key })
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const own: Place = { parent: place, key }
      if (key === 'arguments' && typeof member === 'string') {
        if (member !== '') yield { place: own, text: member, kind: 'text' }
      } else yield* argumentSlots(member, own)
    }
  }
}

/** Names a text of a choice. Members of lists are named by their own index. */
function keyOf(index: unknown, choice: JsonObject, path: readonly (string | number)[]): string {
  let value: unknown = choice
  const names = path.map((key) => {
    value = memberOf(value, key)
    return typeof key === 'number' && isObject(value) && typeof value.index === 'number' ? value.index : key
  })
  return [index, ...names].join('/')
}

/** Returns what leads to a text, with only that text. */
function restOf(value: unknown, path: readonly (string | number)[], text: string): unknown {
  const [key, ...rest] = path
  if (key === undefined) return text
  const within = restOf(memberOf(value, key), rest, text)
  if (typeof key === 'number') return [{ ...indexOf(memberOf(value, key)), ...objectOr(within) }]
  return { [key]: within }
}

const indexOf = (value: unknown): JsonObject =>
  isObject(value) && value.index !== undefined ? { index: value.index } : {}

const memberOf = (value: unknown, key: string | number): unknown =>
  Array.isArray(value) ? value[Number(key)] : isObject(value) ? value[key] : undefined

function isBareChoice({ finish_reason: reason, delta, text }: JsonObject): boolean {
  if (typeof reason === 'string') return false
  if (text !== undefined) return text === ''
  return isObject(delta) && Object.keys(delta).length > 0 && isEmpty(delta)
}

/** Returns whether a delta has only empty texts, and lists of such. */
function isEmpty(value: unknown): boolean {
  if (value === '' || value === null) return true
  if (Array.isArray(value)) return value.every(isEmpty)
  if (!isObject(value)) return false
  return Object.entries(value).every(([name, member]) => (name === 'index' ? true : isEmpty(member)))
}
