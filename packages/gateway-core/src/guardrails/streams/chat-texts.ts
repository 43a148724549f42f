import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../../dialects/dialect.ts'
import { listOr, numberIn, objectOr, objectsOf, present, textIn } from '../../dialects/json-values.ts'
import { type Place, pathOf, type TextSlot, textSlots } from '../texts/text-slots.ts'
import type { StreamTexts, TextPiece } from './stream-texts.ts'

/** Members of deltas that are whole in each event. */
const whole: ReadonlySet<string | number> = new Set(['annotations', 'citations', 'images', 'search_results'])
/** Members that have pieces of texts where their list has no indexes. */
const partial: ReadonlySet<string | number | undefined> = new Set([
  'arguments',
  'content',
  'input',
  'reasoning',
  'summary',
  'text',
  'thinking',
  'transcript',
])

/** Texts of chat completions, and of the older completions. */
export function chatTexts(): StreamTexts {
  let head: JsonObject = { object: 'chat.completion.chunk' }
  const open = new Map<unknown, boolean>()
  const calls = new CallNames()

  const piecesOf = (event: JsonObject, choice: JsonObject, at: number): readonly TextPiece[] => {
    const places: Place = { parent: { parent: undefined, key: 'choices' }, key: at }
    const { delta, text, index } = choice
    const within = (part: unknown, key: string) => [...pieceSlots(part, { parent: places, key })]
    const slots: TextSlot[] = isObject(delta) ? within(delta, 'delta') : []
    const names = listOr(objectOr(delta).tool_calls).map((call, place) => calls.nameOf(index, objectOr(call), place))
    if (typeof text === 'string' && text !== '')
      slots.push({ place: { parent: places, key: 'text' }, text, kind: 'text' })
    return slots.map((slot) => {
      const path = pathOf(slot.place).slice(2)
      return {
        slot,
        key: keyOf(index, choice, path, names),
        isJson: path.at(-1) === 'arguments',
        rest: (rest) => ({
          ...envelopeOf(event),
          choices: [{ ...indexOf(choice), ...objectOr(restOf(choice, path, rest)), finish_reason: null }],
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
      calls.isPast(key) ||
      objectsOf(choices).some(
        ({ index, finish_reason: reason }) => typeof reason === 'string' && key.startsWith(`${index}/`),
      ),
    fails: ({ error }) => error !== undefined && error !== null,
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

/** Names the calls of a stream. Some upstreams send each call whole, and all of them with one index or without one. */
class CallNames {
  readonly #current = new Map<string, { readonly id: string | undefined; readonly turn: number }>()

  /** Names the call that a member of `tool_calls` is a part of. A further id at the same index begins another call. */
  nameOf(choice: unknown, { id: given, index }: JsonObject, at: number): string {
    const id = textIn(given)
    const last = `${choice}/tool_calls/-`
    const isNumbered = typeof index === 'number'
    const isLast = !isNumbered && (id !== undefined || this.#current.has(last))
    const place = isLast ? last : `${choice}/tool_calls/${isNumbered ? index : `-${at}`}`
    const known = this.#current.get(place)
    const isNext = id !== undefined && known?.id !== undefined && known.id !== id
    const turn = (known?.turn ?? 0) + (isNext ? 1 : 0)
    this.#current.set(place, { id: id ?? known?.id, turn })
    return `${place}#${turn}`
  }

  /** Returns whether a text is one of a call that another has followed at its index. */
  isPast(key: string): boolean {
    const [place = '', turn = ''] = key.split('#')
    const known = this.#current.get(place)
    return known !== undefined && Number.parseInt(turn, 10) !== known.turn
  }
}

/** Yields the texts of a delta that arrive in pieces, with JSON as one text. */
function* pieceSlots(value: unknown, place: Place): Generator<TextSlot> {
  const depth = pathOf(place).length
  for (const slot of textSlots({ [place.key]: value }, place.parent)) {
    const path = pathOf(slot.place)
    if (!path.includes('arguments') && slot.kind === 'text' && isPiece(value, path.slice(depth))) yield slot
  }
  yield* argumentSlots(value, place)
}

/** Returns whether a text in a value continues in later events. Clients append members of lists that have no index. */
function isPiece(value: unknown, path: readonly (string | number)[]): boolean {
  let at = value
  let isNumbered = true
  for (const key of path) {
    if (whole.has(key)) return false
    at = memberOf(at, key)
    if (typeof key === 'number') isNumbered &&= isObject(at) && typeof at.index === 'number'
  }
  return isNumbered || partial.has(path.at(-1))
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

/** Names a text of a choice. Members of lists are named by their own index. @param calls the names of its calls */
function keyOf(
  index: unknown,
  choice: JsonObject,
  path: readonly (string | number)[],
  calls: readonly string[],
): string {
  const call = path[1] === 'tool_calls' ? calls[Number(path[2])] : undefined
  if (call !== undefined) return [call, ...path.slice(3)].join('/')
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
  isObject(value) && typeof value.index === 'number' ? { index: value.index } : {}

/** Returns what all events of an answer have in common, without members whose texts are checked. */
const envelopeOf = ({ id, object, created, model, system_fingerprint, service_tier }: JsonObject): JsonObject =>
  present({ id, object, created: numberIn(created), model, system_fingerprint, service_tier })

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
