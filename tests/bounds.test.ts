import { emulationContract } from '@trivium/emulation-core/http'
import { gatewayContract } from '@trivium/gateway-core/http'
import { isObject, type Operation } from '@trivium/http-contract'
import { storageContract } from '@trivium/storage-core/http'
import { expect, it } from 'vitest'

const BOUNDS: Readonly<Record<string, string>> = {
  array: 'max_length',
  record: 'max_entries',
  map: 'max_size',
  set: 'max_size',
}

const members = (value: unknown): readonly (readonly [string, unknown])[] => {
  if (value instanceof Map) return [...value].map(([key, one]) => [String(key), one])
  return isObject(value) || Array.isArray(value) ? Object.entries(value) : []
}

/** Returns the checks of a schema, with those of the schemas in its pipe. */
const checksOf = ({ pipe }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(pipe) ? pipe.flatMap((one) => [one, ...(isObject(one) ? checksOf(one) : [])]) : []

/** Returns the places of a schema whose lists or records have no limit of members. */
function unbounded(
  schema: unknown,
  place: string,
  seen = new Set<unknown>(),
  checks: readonly unknown[] = [],
): string[] {
  if (!isObject(schema) || seen.has(schema)) return []
  seen.add(schema)
  const { type, pipe, entries, item, items, options, wrapped, value, getter } = schema
  const all = [...checks, ...checksOf(schema)]
  const bound = typeof type === 'string' ? BOUNDS[type] : undefined
  const isBounded = all.some((check) => isObject(check) && (check.type === bound || check.type === 'length'))
  return [
    ...(bound === undefined || isBounded ? [] : [place]),
    ...(Array.isArray(pipe) ? pipe.flatMap((one) => (one === schema ? [] : unbounded(one, place, seen, all))) : []),
    ...members(entries).flatMap(([name, one]) => unbounded(one, `${place}.${name}`, seen)),
    ...unbounded(item, `${place}[]`, seen),
    ...members(items).flatMap(([, one]) => unbounded(one, `${place}[]`, seen)),
    ...members(options).flatMap(([, one]) => unbounded(one, place, seen)),
    ...unbounded(wrapped, place, seen),
    ...unbounded(value, `${place}.*`, seen),
    ...(typeof getter === 'function' ? [[], {}].flatMap((input) => unbounded(getter(input), place, seen)) : []),
  ]
}

const operations: readonly (readonly [string, Operation])[] = [
  ...Object.entries<Operation>(gatewayContract),
  ...Object.entries<Operation>(emulationContract),
  ...Object.entries<Operation>(storageContract),
]

it('limits the members of every list and record of a body', () => {
  const places = operations.flatMap(([id, operation]) =>
    // The head of a request is limited as a whole.
    unbounded(operation.body, id),
  )
  expect(places).toEqual([])
})
