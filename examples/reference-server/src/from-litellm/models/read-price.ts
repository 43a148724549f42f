import type { PriceDraft } from '../output/draft.ts'
import type { Fields } from '../source/fields.ts'
import { multiplied } from './million.ts'

const MILLION = 1_000_000n

/** Fields of LiteLLM, what the file names them, and their factor. */
const fields: readonly (readonly [theirs: string, ours: string, factor: bigint])[] = [
  ['input_cost_per_token', 'input', MILLION],
  ['output_cost_per_token', 'output', MILLION],
  ['cache_read_input_token_cost', 'cached_input', MILLION],
  ['cache_creation_input_token_cost', 'cache_write', MILLION],
  ['output_cost_per_reasoning_token', 'reasoning', MILLION],
  ['input_cost_per_audio_token', 'input_audio', MILLION],
  ['output_cost_per_audio_token', 'output_audio', MILLION],
  ['output_cost_per_image', 'image', 1n],
  ['input_cost_per_query', 'request', 1n],
  ['input_cost_per_request', 'request', 1n],
  ['input_cost_per_second', 'audio_minute', 60n],
  ['input_cost_per_character', 'character', 1n],
]

const longFields: readonly (readonly [theirs: string, ours: string])[] = [
  ['input_cost_per_token', 'input'],
  ['output_cost_per_token', 'output'],
  ['cache_read_input_token_cost', 'cached_input'],
  ['cache_creation_input_token_cost', 'cache_write'],
]

/** Lengths from which LiteLLM knows other prices. */
const lengths = [128, 200, 256, 272] as const

/** Reads the prices in `litellm_params` or `model_info`. */
export function readPrice(params: Fields): PriceDraft {
  const price: Record<string, string | Record<string, string | number>> = {}
  for (const [theirs, ours, factor] of fields) {
    const amount = readAmount(params, theirs, factor)
    if (amount !== undefined) price[ours] = amount
  }
  for (const length of lengths) {
    for (const [theirs, ours] of longFields) {
      const name = `${theirs}_above_${length}k_tokens`
      const node = params.node(name)
      if (node === undefined) continue
      const above = length * 1000
      const { long } = price
      if (typeof long === 'object' && long.above !== above) {
        params.ledger.note(node, 'left out', 'The gateway has prices for one length of long inputs.')
        continue
      }
      const amount = readAmount(params, name, MILLION)
      if (amount !== undefined) price.long = { above, ...(typeof long === 'object' ? long : {}), [ours]: amount }
    }
  }
  return price
}

function readAmount({ map, ledger }: Fields, name: string, factor: bigint): string | undefined {
  const node = map.entries.get(name)
  if (node === undefined) return undefined
  ledger.use(node)
  if (node.kind === 'value' && node.value === null) return undefined
  const amount = node.kind === 'value' ? multiplied(node.value, factor) : undefined
  if (amount === undefined) {
    ledger.note(
      node,
      'left out',
      'The value is not an amount of dollars that the gateway can hold: from 0 to below 9,000,000, with at most 9 decimals.',
    )
  }
  return amount
}
