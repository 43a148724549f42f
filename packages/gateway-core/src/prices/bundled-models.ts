import { BUNDLED_PRICES } from './bundled-prices.ts'
import type { Price } from './price.ts'

/** A model of the bundled table. */
export interface BundledModel {
  readonly price: Price
  /** The most tokens of a request and its answer together. Absent where unknown. */
  readonly contextLength?: number
  /** The most tokens of an answer. Absent where unknown. */
  readonly mostOutputTokens?: number
  /** Whether each request searches as often as the model decides, so that its cost has no bound. */
  readonly isOpenEnded?: boolean
}

let models: ReadonlyMap<string, BundledModel> | undefined

/** Returns the bundled table by family or `provider/model`. Read once. */
export function bundledModels(): ReadonlyMap<string, BundledModel> {
  models ??= new Map(BUNDLED_PRICES.trim().split('\n').map(readLine))
  return models
}

function readLine(line: string): readonly [string, BundledModel] {
  const end = line.indexOf(': ')
  const price: Record<string, string> = {}
  const long: Record<string, string> = {}
  const facts: Record<string, number> = {}
  const images: Record<string, string> = {}
  let factors: Pick<Price, 'priority' | 'flex'> = {}
  let isOpenEnded = false
  let above: number | undefined
  for (const field of line.slice(end + 2).split(', ')) {
    const [name = '', value = ''] = field.split(' ')
    if (name === 'contextLength' || name === 'mostOutputTokens') facts[name] = Number(value)
    else if (name === 'above') above = Number(value)
    else if (name === 'openEnded') isOpenEnded = true
    else if (name === 'priority' || name === 'flex') factors = { ...factors, [name]: Number(value) }
    else if (name.startsWith('image/')) images[name.slice('image/'.length)] = value
    else if (name.startsWith('long')) long[name.charAt(4).toLowerCase() + name.slice(5)] = value
    else price[name] = value
  }
  const whole: Price = {
    ...price,
    ...factors,
    ...(Object.keys(images).length > 0 && { images }),
    ...(above !== undefined && { long: { ...long, above } }),
  }
  return [line.slice(0, end), { price: whole, ...facts, ...(isOpenEnded && { isOpenEnded }) }]
}

/** What follows the name of a family: dates and versions of it. */
const SUFFIX = /(?:[-@](?:\d{8}|\d{6}|\d{4}-\d\d-\d\d|\d\d-\d{4}|\d\d-\d\d|\d{3,4}|latest|preview|exp)|-v\d+(?::\d+)?)$/
/** Names of vendors and regions before a model, as in `us.anthropic.claude-opus-4-5` and `anthropic/claude-opus-4-5`. */
const PREFIX = /^(?:.*\/)?(?:[a-z]{2,6}\.)?(?:anthropic\.)?/

/** Returns the names under which the price of a model may be listed, the closest first. */
export function* familiesOf(model: string): Generator<string> {
  // Longer names are of no vendor, and a pattern would take long.
  if (model.length > 200) return
  let name = model.toLowerCase().replace(PREFIX, '')
  for (;;) {
    yield name
    const shorter = name.replace(SUFFIX, '')
    if (shorter === name) return
    name = shorter
  }
}
