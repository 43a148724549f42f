import { err, ok, type Result } from 'neverthrow'
import type { FieldValue } from '../../query/field-catalogue.ts'
import { fullOrder, type OrderBy, type Position } from '../../query/page.ts'
import { parseValue } from '../../query/parse-value.ts'
import type { Failure } from '../errors/failure.ts'
import { invalidParameter, type Parameters, unexpectedArgument } from './parameters.ts'
import { findWireField, type WireRecords, wireName } from './wire-field.ts'

/** Parses `order_by=space.hard_limit desc,uuid`, with or without a space after the comma. */
export function parseOrder<Entity, Name extends string>(
  { orderBy, ignoreUnknownFields }: Parameters,
  records: WireRecords<Entity, Name>,
): Result<readonly OrderBy<Name>[], Failure> {
  const order: OrderBy<Name>[] = []
  for (const part of orderBy.split(',')) {
    const [name, direction = 'asc', ...more] = part.trim().split(/\s+/)
    if (name === undefined || name === '') continue
    const wire = findWireField(records, name)
    const isDirection = /^(asc|desc)(ending)?$/i.test(direction) && more.length === 0
    const isKnown = wire !== undefined || records.absent?.has(name.split('.')[0] ?? '') === true || ignoreUnknownFields
    if (!isKnown || !isDirection) return err(invalidParameter('order_by', part.trim()))
    if (wire && 'field' in wire) order.push({ field: wire.field, descending: /^desc/i.test(direction) })
  }
  return ok(order)
}

/** Parses the position in a next link: the fields of the order and of the key, without those that are unset. */
export function parseStart<Entity, Name extends string>(
  { start }: Parameters,
  order: readonly OrderBy<Name>[],
  records: WireRecords<Entity, Name>,
): Result<Position | undefined, Failure> {
  if (start.size === 0) return ok(undefined)
  const whole = fullOrder(records.catalogue, order)
  const names = whole.map(({ field }) => wireName(field, records.fields))
  for (const name of start.keys()) if (!names.includes(name)) return err(unexpectedArgument(`start.${name}`))
  const position: (FieldValue | null)[] = []
  for (const [index, { field }] of whole.entries()) {
    const text = start.get(names[index] ?? '')
    const value = text === undefined ? null : parseValue(text, records.catalogue.fields[field]).unwrapOr(undefined)
    if (value === undefined) return err(invalidParameter(`start.${names[index]}`, text ?? ''))
    position.push(value === null ? null : value.from)
  }
  return ok(position)
}

/** Returns the address of the next page, without the path of the mount. */
export function nextLink<Entity, Name extends string>(
  rawQuery: string,
  next: Position,
  order: readonly OrderBy<Name>[],
  records: WireRecords<Entity, Name>,
): string {
  const parameters = new URLSearchParams(rawQuery)
  for (const name of [...parameters.keys()]) if (name.startsWith('start.')) parameters.delete(name)
  const startParameters = new URLSearchParams()
  for (const [index, { field }] of fullOrder(records.catalogue, order).entries()) {
    const value = next[index] ?? null
    if (value === null) continue
    const isDate = records.catalogue.fields[field].type === 'date'
    startParameters.set(
      `start.${wireName(field, records.fields)}`,
      isDate ? new Date(Number(value)).toISOString() : String(value),
    )
  }
  return `${records.path}?${[startParameters, parameters].map(String).filter(Boolean).join('&')}`
}
