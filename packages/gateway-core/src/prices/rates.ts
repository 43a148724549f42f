import { parseDollars } from '../money/dollars.ts'
import type { LongPrices, Price, TokenPrices } from './price.ts'

/** Nanodollars for a million tokens. */
export interface TokenRates {
  readonly input: bigint
  readonly output: bigint
  readonly cachedInput: bigint
  readonly cacheWrite: bigint
  readonly cacheWriteHour: bigint
  readonly reasoning: bigint
  readonly inputAudio: bigint
  /** `undefined`: images have no price of their own. */
  readonly inputImage: bigint | undefined
  readonly outputAudio: bigint
}

/** How the images of a request are made. */
export interface ImageForm {
  /** @default that of the upstream */
  readonly quality?: string
  /** Such as `1024x1024`. @default that of the upstream */
  readonly size?: string
}

/** A price that was read. Units are in nanodollars. */
export interface Rates extends TokenRates {
  readonly image: bigint
  /** By `quality`, `size` or `quality/size`. */
  readonly images: ReadonlyMap<string, bigint>
  /** Millionths. */
  readonly priority: bigint
  /** Millionths. */
  readonly flex: bigint
  readonly request: bigint
  readonly search: bigint
  readonly audioMinute: bigint
  readonly character: bigint
  readonly long: (TokenRates & { readonly above: number }) | undefined
}

const tokenFields: readonly (keyof TokenPrices)[] = [
  'input',
  'output',
  'cachedInput',
  'cacheWrite',
  'cacheWriteHour',
  'reasoning',
  'inputAudio',
  'inputImage',
  'outputAudio',
]
const unitFields = ['image', 'request', 'search', 'audioMinute', 'character'] as const
const known: ReadonlySet<string> = new Set([...tokenFields, ...unitFields, 'images', 'priority', 'flex', 'long'])

/** More than any vendor adds for its fastest tier. */
const PRIORITY_FACTOR = 2.5
const knownLong: ReadonlySet<string> = new Set([...tokenFields, 'above'])

/**
 * Reads a price.
 *
 * @param path names the price in errors
 * @throws TypeError for a field that does not exist, RangeError for an amount that is out of its bounds
 */
export function ratesOf(price: Price, path: string): Rates {
  checkNames(price, known, path)
  const short = tokenRates(price, path)
  const unit = (name: (typeof unitFields)[number]) => amountOf(price[name], `${path}.${name}`) ?? 0n
  return {
    ...short,
    image: unit('image'),
    images: imageRates(price.images, `${path}.images`),
    priority: factorOf(price.priority ?? PRIORITY_FACTOR, `${path}.priority`),
    flex: factorOf(price.flex ?? 1, `${path}.flex`),
    request: unit('request'),
    search: unit('search'),
    audioMinute: unit('audioMinute'),
    character: unit('character'),
    long: price.long && longRates(price.long, price, `${path}.long`),
  }
}

function imageRates(images: Price['images'] = {}, path: string): ReadonlyMap<string, bigint> {
  if (typeof images !== 'object' || images === null) throw new TypeError(`'${path}' must be an object.`)
  return new Map(Object.entries(images).map(([name, amount]) => [name, amountOf(amount, `${path}.${name}`) ?? 0n]))
}

function factorOf(factor: unknown, path: string): bigint {
  if (typeof factor !== 'number' || !(factor >= 0 && factor <= 100))
    throw new RangeError(`'${path}' must be a number from 0 to 100.`)
  return BigInt(Math.round(factor * 1_000_000))
}

/** Returns the price of an image, the dearest of those that the upstream may select. */
export function imageRate({ image, images }: Rates, { quality, size }: ImageForm): bigint {
  if (images.size === 0) return image
  if (quality === 'auto' || size === 'auto')
    return [...images.values()].reduce((most, one) => (one > most ? one : most), image)
  return images.get(`${quality}/${size}`) ?? images.get(String(quality)) ?? images.get(String(size)) ?? image
}

function longRates(long: LongPrices, price: Price, path: string): NonNullable<Rates['long']> {
  checkNames(long, knownLong, path)
  const { above, ...prices } = long
  if (!Number.isSafeInteger(above) || above < 1)
    throw new RangeError(`'${path}.above' must be a whole number from 1 on.`)
  return { ...tokenRates({ ...price, ...prices }, path), above }
}

function tokenRates(prices: TokenPrices, path: string): TokenRates {
  const rate = (name: keyof TokenPrices) => amountOf(prices[name], `${path}.${name}`)
  const input = rate('input') ?? 0n
  const output = rate('output') ?? 0n
  const cacheWrite = rate('cacheWrite') ?? input
  return {
    input,
    output,
    cachedInput: rate('cachedInput') ?? input,
    cacheWrite,
    cacheWriteHour: rate('cacheWriteHour') ?? cacheWrite,
    reasoning: rate('reasoning') ?? output,
    inputAudio: rate('inputAudio') ?? input,
    inputImage: rate('inputImage'),
    outputAudio: rate('outputAudio') ?? output,
  }
}

function amountOf(amount: unknown, path: string): bigint | undefined {
  if (amount === undefined) return undefined
  const parsed = typeof amount === 'number' || typeof amount === 'string' ? parseDollars(amount) : undefined
  if (parsed === undefined)
    throw new RangeError(`'${path}' must be an amount of dollars from 0 to below 9,000,000 with at most 9 decimals.`)
  return BigInt(parsed)
}

function checkNames(value: object, names: ReadonlySet<string>, path: string): void {
  if (typeof value !== 'object' || value === null) throw new TypeError(`'${path}' must be an object.`)
  for (const name of Object.keys(value)) {
    if (!names.has(name)) throw new TypeError(`'${path}.${name}' does not exist. Known are: ${[...names].join(', ')}.`)
  }
}
