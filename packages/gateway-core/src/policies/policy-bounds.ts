import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { printable, textWithin } from '../bounds.ts'

/** Each key in use is in memory, and lists have many keys. */
const MAX_PATTERN_BYTES = 8_192
const MAX_ENDPOINT_BYTES = 8_192
const MAX_METADATA_BYTES = 10_240
const MAX_STARS = 8

const encoder = new TextEncoder()

const bytesOf = (texts: readonly string[]): number => encoder.encode(texts.join('')).length

const pattern = v.pipe(
  textWithin(256),
  v.check((text) => text.split('*').length <= MAX_STARS + 1, `must have at most ${MAX_STARS} stars`),
)

const patterns = v.pipe(
  v.array(pattern),
  v.maxLength(200, 'must have at most 200 patterns'),
  v.check(
    (texts) => bytesOf(texts) <= MAX_PATTERN_BYTES,
    `must have at most ${MAX_PATTERN_BYTES} bytes in all its patterns`,
  ),
)

const endpoints = v.pipe(
  v.array(textWithin(64)),
  v.maxLength(200, 'must have at most 200 operations'),
  v.check((ids) => bytesOf(ids) <= MAX_ENDPOINT_BYTES, `must have at most ${MAX_ENDPOINT_BYTES} bytes in all its ids`),
)

/** An address, or a network of the form `ADDRESS/BITS`. */
const network = v.pipe(
  v.string(),
  v.maxLength(64, 'must have at most 64 characters'),
  v.check(isNetwork, "must be an address or a network such as '10.0.0.0/8'"),
)

function isNetwork(text: string): boolean {
  // The library also reads forms such as `10.1` and `0x0a000001`.
  const isPlain = /^(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|[\da-fA-F:.]*:[\da-fA-F:.]*)(\/\d{1,3})?$/.test(text)
  return isPlain && (text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text))
}

const ipRanges = v.pipe(v.array(network), v.maxLength(100, 'must have at most 100 networks'))

export const policyEntries = {
  models: patterns,
  deniedModels: patterns,
  endpoints,
  ipRanges,
  disabled: v.boolean(),
}

export const policySchema = v.strictObject({
  models: v.optional(policyEntries.models),
  deniedModels: v.optional(policyEntries.deniedModels),
  endpoints: v.optional(policyEntries.endpoints),
  ipRanges: v.optional(policyEntries.ipRanges),
  disabled: v.optional(policyEntries.disabled),
})

/** Changes of a policy: `null` removes a rule. */
export const policyChangesSchema = v.strictObject({
  models: v.nullish(policyEntries.models),
  deniedModels: v.nullish(policyEntries.deniedModels),
  endpoints: v.nullish(policyEntries.endpoints),
  ipRanges: v.nullish(policyEntries.ipRanges),
  disabled: v.nullish(policyEntries.disabled),
})

export const tagsSchema = v.pipe(
  v.array(textWithin(64)),
  v.maxLength(20, 'must have at most 20 tags'),
  v.check((tags) => new Set(tags).size === tags.length, 'must name each tag once'),
)

export const metadataSchema = v.pipe(
  v.record(textWithin(64), v.pipe(v.string(), v.maxLength(512, 'must have at most 512 characters'), printable)),
  v.maxEntries(16, 'must have at most 16 entries'),
  v.check(
    (metadata) => bytesOf(Object.entries(metadata).flat()) <= MAX_METADATA_BYTES,
    `must have at most ${MAX_METADATA_BYTES} bytes in all its names and texts`,
  ),
)
