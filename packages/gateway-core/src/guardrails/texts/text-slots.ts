import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import type { JsonObject } from '../../dialects/dialect.ts'
import { JsonAllowance } from '../../dialects/json-allowance.ts'
import { jsonTokens } from './json-tokens.ts'

/** Where a value is: the name or the position in its parent, and the place of the parent. */
export interface Place {
  readonly parent: Place | undefined
  readonly key: string | number
  /** Whether the value is a JSON text, and the keys within it are the places where its tokens begin. */
  readonly isJson?: true
}

/** A text of a request or an answer. */
export interface TextSlot {
  readonly place: Place
  readonly text: string
  /**
   * Whether the text is the name of a member, a number, which a mask makes a text, or the value of a structural member, which
   * cannot be masked.
   */
  readonly kind: 'text' | 'name' | 'number' | 'structure'
  /** Returns what takes the place of the text. @default the masked text */
  readonly write?: (masked: string) => string
}

/** Members that say how a request or an answer is built. Their values are not texts of people or models. */
const structural: ReadonlySet<string> = new Set([
  'background_tokens',
  'call_id',
  'container',
  'conversation',
  'detail',
  'effort',
  'encoding_format',
  'file_id',
  'finish_reason',
  'id',
  'item_id',
  'media_type',
  'mime_type',
  'model',
  'object',
  'previous_response_id',
  'reasoning_effort',
  'response_id',
  'role',
  'service_tier',
  'status',
  'stop_reason',
  'system_fingerprint',
  'tool_call_id',
  'tool_use_id',
  'truncation',
  'type',
  'verbosity',
  'voice',
])

/** Members with what only their upstream or a program reads, within objects that have no text. */
const opaque: ReadonlySet<string> = new Set([
  'b64_json',
  'encrypted_content',
  'encrypted_index',
  'file_data',
  'obfuscation',
  'partial_image_b64',
  'redacted_data',
  'signature',
])
const textTypes: ReadonlySet<unknown> = new Set([undefined, 'text', 'input_text', 'output_text', 'refusal'])

/** What a structural value looks like. Any other value of such a member is a text. */
const STRUCTURAL = /^[\w.:/-]{1,128}$/
/** Words that name a sort of thing, and ids that upstreams and the gateway make. */
const PLAIN = /^(?:[a-z_]{1,64}|(?:call|toolu|srvtoolu|mcptoolu|fc|msg|rs|resp|conv|chatcmpl)_[a-z0-9]{1,64})$/i
const TYPE = /^[a-z0-9_.]{1,64}$/
const BASE64 = /^[A-Za-z0-9+/=\s]*$/

/** Members with values of any form, each of which is a text. */
const free: ReadonlySet<string> = new Set(['metadata', 'arguments', 'variables'])
/** Members of JSON Schema that are not texts. */
const ofSchema: ReadonlySet<string> = new Set(['type', '$ref', '$schema', '$id'])
/** Members of JSON Schema whose members have names of the caller. */
const namesOfSchema: ReadonlySet<unknown> = new Set(['properties', 'patternProperties', '$defs', 'definitions'])
const schemas: ReadonlySet<string> = new Set(['parameters', 'input_schema', 'schema'])
const toolInputs: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])

const soundFormats: ReadonlySet<unknown> = new Set(['wav', 'mp3', 'flac', 'opus', 'aac', 'ogg', 'pcm16', 'webm', 'm4a'])

/** Shorter numbers are not those of persons. */
const SHORTEST_NUMBER = 6

/** `free`: names and numbers of members count, too. */
type Mode = 'built' | 'free' | 'schema'

/** Returns the keys that lead to a value. */
export function pathOf(place: Place): readonly (string | number)[] {
  const path: (string | number)[] = []
  for (let at: Place | undefined = place; at; at = at.parent) path.unshift(at.key)
  return path
}

/** How the texts of a value are found. */
interface Walk {
  readonly mode: Mode
  /** Whether members of a request are read, in which the caller writes what is structure elsewhere. */
  readonly isRequest: boolean
  /** Of all JSON in its texts. */
  readonly allowance: JsonAllowance
}

/** Yields the texts of a request or an answer, in their order. The value must not be nested too deep for recursion. */
export const textSlots = (value: unknown, at?: Place): Generator<TextSlot> =>
  slotsWithin(value, at, { mode: 'built', isRequest: false, allowance: new JsonAllowance() })

/** Yields the texts of a request, and those of its structure that a caller could have written. */
export const requestSlots = (value: unknown): Generator<TextSlot> =>
  slotsWithin(value, undefined, { mode: 'built', isRequest: true, allowance: new JsonAllowance() })

/** Yields the texts within a text that is JSON. */
export const jsonSlots = (text: string, place: Place): Generator<TextSlot> =>
  slotsOfJson(text, place, { mode: 'built', isRequest: false, allowance: new JsonAllowance() })

function* slotsWithin(value: unknown, at: Place | undefined, walk: Walk): Generator<TextSlot> {
  if (Array.isArray(value)) {
    for (const [key, member] of value.entries()) {
      if (hasTexts(member, walk)) yield* memberSlots(member, { parent: at, key }, walk, value)
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const place: Place = { parent: at, key }
      const member = value[key]
      if (walk.mode === 'free' || (walk.mode === 'schema' && namesOfSchema.has(at?.key))) {
        yield { place, text: key, kind: 'name' }
      }
      if (hasTexts(member, walk)) yield* memberSlots(member, place, walk, value)
    }
  }
}

/** Without a generator for each number. */
const hasTexts = (value: unknown, { mode }: Walk): boolean =>
  typeof value === 'string' || typeof value === 'object' || (typeof value === 'number' && mode !== 'built')

function* memberSlots(value: unknown, place: Place, walk: Walk, parent: unknown): Generator<TextSlot> {
  const { key } = place
  const { mode } = walk
  if (mode === 'built' && typeof value === 'string' && isStructural(place, value, parent, walk)) {
    if (walk.isRequest && !isPlain(place, value)) yield { place, text: value, kind: 'structure' }
    return
  }
  if (mode === 'built' && typeof value === 'string' && isOpaque(place, value, parent, walk)) return
  if (mode === 'schema' && isOfSchema(place) && typeof value === 'string') {
    if (walk.isRequest && !isPlain(place, value)) yield { place, text: value, kind: 'structure' }
    return
  }
  if (typeof value === 'string') {
    if (key === 'arguments' && mode === 'built') yield* slotsOfJson(value, place, walk)
    else if (value !== '') yield { place, text: value, kind: 'text' }
  } else if (typeof value === 'number') {
    const text = String(value)
    if (text.length >= SHORTEST_NUMBER) yield { place, text, kind: 'number' }
  } else if (typeof value === 'object' && value !== null) {
    yield* slotsWithin(value, place, { ...walk, mode: modeWithin(place, mode, parent) })
  }
}

function* slotsOfJson(text: string, place: Place, { allowance }: Walk): Generator<TextSlot> {
  if (isJsonWithin(allowance, text)) yield* tokenSlots(text, { ...place, isJson: true })
  else if (text !== '') yield { place, text, kind: 'text', write: (masked) => asJson(masked, text) }
}

/** Yields the texts of a JSON text as it is, with the digits of its numbers and with members that have one name. */
function* tokenSlots(json: string, parent: Place): Generator<TextSlot> {
  for (const { start, end, kind } of jsonTokens(json)) {
    const place: Place = { parent, key: start }
    const token = json.slice(start, end)
    const text = kind === 'number' ? token : String(parseJson(token))
    if (kind !== 'number') {
      if (text !== '') yield { place, text, kind }
      continue
    }
    const value = String(Number(text))
    for (const number of new Set([text, value])) {
      if (number.length >= SHORTEST_NUMBER) yield { place, text: number, kind }
    }
  }
}

/** Returns a masked text, as a JSON text where the original is JSON and the mask is not. */
const asJson = (masked: string, original: string): string =>
  parseJson(masked) === undefined && parseJson(original) !== undefined ? JSON.stringify(masked) : masked

/** Returns whether a text is a JSON list or object; `false` where it must be checked as a plain one. */
function isJsonWithin(allowance: JsonAllowance, text: string): boolean {
  if (!allowance.admits(text.length) || !allowance.admitsValues(text)) return false
  const value = parseJson(text)
  return typeof value === 'object' && value !== null
}

function modeWithin({ key, parent: above }: Place, mode: Mode, parent: unknown): Mode {
  if (mode !== 'built' || typeof key !== 'string') return mode
  // Those of reranking.
  if (key === 'documents' && !above) return 'free'
  if (free.has(key) || (key === 'input' && isObject(parent) && toolInputs.has(parent.type))) return 'free'
  return schemas.has(key) ? 'schema' : mode
}

/** Returns whether a value says how a request or an answer is built. */
function isStructural({ key }: Place, value: string, parent: unknown, { isRequest }: Walk): boolean {
  if (typeof key !== 'string') return false
  // Names of functions, which answers repeat.
  const isNamed = structural.has(key) || (key === 'name' && isObject(parent) && !('content' in parent))
  return isNamed && (!isRequest || value === '' || STRUCTURAL.test(value))
}

/** Returns whether a value is that of a member of JSON Schema which is not a text, or in a list of such. */
const isOfSchema = ({ key, parent }: Place): boolean =>
  typeof key === 'string' ? ofSchema.has(key) : parent !== undefined && isOfSchema(parent)

/** Returns whether a structural value needs no check. The gateway knows all models. */
const isPlain = ({ key, parent }: Place, value: string): boolean =>
  value === '' || PLAIN.test(value) || (key === 'type' && TYPE.test(value)) || (key === 'model' && !parent)

/** Returns whether a value is sound, an image or a file, or is encrypted. */
function isOpaque({ key, parent: above }: Place, value: string, parent: unknown, { isRequest }: Walk): boolean {
  if (typeof key !== 'string' || !isObject(parent)) return false
  if (opaque.has(key)) return !isRequest || !textTypes.has(parent.type) || isData(value) || BASE64.test(value)
  if (key === 'data') return isMedia(parent, above)
  return (key === 'url' || key === 'image_url' || key === 'file_url') && isData(value)
}

const isData = (value: string): boolean => /^data:(?!text\/)[^,]{0,200};base64,/i.test(value)

/** Returns whether the `data` of an object is Base64 of sound, images or files, or is encrypted. */
function isMedia({ type, media_type: media, format }: JsonObject, place: Place | undefined): boolean {
  if (type === 'redacted_thinking' || place?.key === 'audio') return true
  if (place?.key === 'input_audio') return soundFormats.has(format)
  return type === 'base64' && typeof media === 'string' && !media.trim().toLowerCase().startsWith('text/')
}
