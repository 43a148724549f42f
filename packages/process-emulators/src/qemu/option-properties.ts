import { escaped } from './escaped.ts'
import { parseRecord } from './json-record.ts'

/** The properties of an argument in their order, as QEMU reads them. */
export type Properties = readonly (readonly [name: string, value: string])[]

const NAME = /^[\w.-]{1,64}$/

/**
 * Reads `name=value` pairs that are separated by commas, with QEMU's own rules: a comma in a value is doubled, a first
 * item without a name is the value of `implied`, `name` alone is `on` and `noname` alone is `off`. An argument that
 * begins with a brace is a JSON object, whose values are texts, numbers and booleans here.
 *
 * @returns `undefined` for an argument that QEMU reads in another way or not at all
 */
export function readProperties(argument: string, implied: string | undefined): Properties | undefined {
  if (argument.startsWith('{')) return fromJson(argument)
  const read: (readonly [string, string])[] = []
  for (const [index, item] of items(argument).entries()) {
    const equals = item.indexOf('=')
    const name = equals < 0 ? item : item.slice(0, equals)
    if (equals >= 0 && NAME.test(name)) read.push([name, item.slice(equals + 1)])
    else if (equals < 0 && index === 0 && implied !== undefined) read.push([implied, item])
    else if (equals < 0 && NAME.test(name)) read.push(name.startsWith('no') ? [name.slice(2), 'off'] : [name, 'on'])
    else return undefined
  }
  return read
}

/** Writes properties so that QEMU reads them again. The first one can be that without a name. */
export const writeProperties = (properties: Properties, implied: string | undefined): string =>
  properties
    .map(([name, value], index) =>
      index === 0 && name === implied && !value.includes('=') ? escaped(value) : `${name}=${escaped(value)}`,
    )
    .join(',')

/** Splits at single commas, and replaces doubled ones by one. */
function items(argument: string): readonly string[] {
  const found: string[] = []
  let item = ''
  for (let at = 0; at < argument.length; at += 1) {
    const character = argument.charAt(at)
    if (character !== ',') item += character
    else if (argument.charAt(at + 1) === ',') {
      item += ','
      at += 1
    } else {
      found.push(item)
      item = ''
    }
  }
  return [...found, item]
}

function fromJson(argument: string): Properties | undefined {
  const read: (readonly [string, string])[] = []
  for (const [name, value] of Object.entries(parseRecord(argument) ?? { '': undefined })) {
    if (!NAME.test(name)) return undefined
    if (typeof value === 'boolean') read.push([name, value ? 'on' : 'off'])
    else if (typeof value === 'string' || typeof value === 'number') read.push([name, String(value)])
    else return undefined
  }
  return read
}
