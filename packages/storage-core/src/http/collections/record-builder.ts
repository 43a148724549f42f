import { jsonInteger } from '@trivium/http-contract'
import type { Field } from '../../query/field-catalogue.ts'
import { checkRuntime } from './check-runtime.ts'
import type { WireRecord } from './field-selection.ts'
import type { WireRecords } from './wire-field.ts'

interface Part<Entity> {
  readonly member: string
  /** The name inside a member that is an object: `hard_limit` of `space`. */
  readonly key: string | undefined
  readonly read: Field<Entity>['read']
}

/**
 * Builds records from their fields, in the order of the fields. Unset fields are absent.
 *
 * @returns a function of an entity and of its given members, such as those with links
 */
export function recordBuilder<Entity, Name extends string>({
  fields,
  catalogue,
}: WireRecords<Entity, Name>): (entity: Entity, given: WireRecord) => WireRecord {
  const parts = Object.entries(fields).flatMap(([name, wire]): Part<Entity>[] => {
    const [member = '', key] = name.split('.')
    return 'field' in wire ? [{ member, key, read: catalogue.fields[wire.field].read }] : []
  })
  checkRuntime()
  const members = [...Map.groupBy(parts, ({ member }) => member)]
  return (entity, given) => {
    const record: { [member: string]: unknown } = {}
    for (const [member, inside] of members) {
      const value = Object.hasOwn(given, member) ? given[member] : readMember(entity, inside)
      if (value !== undefined) record[member] = value
    }
    return record
  }
}

function readMember<Entity>(entity: Entity, parts: readonly Part<Entity>[]): unknown {
  const object: { [key: string]: unknown } = {}
  let isSet = false
  for (const { key, read } of parts) {
    const own = read(entity)
    if (own === undefined) continue
    const value = typeof own === 'bigint' ? jsonInteger(own) : own
    if (key === undefined) return value
    object[key] = value
    isSet = true
  }
  return isSet ? object : undefined
}
