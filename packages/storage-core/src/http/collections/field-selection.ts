import { err, ok, type Result } from 'neverthrow'
import { codes } from '../errors/error-codes.ts'
import type { Failure } from '../errors/failure.ts'
import { selectsNamesAlone } from './names-or-ids.ts'
import type { WireRecords } from './wire-field.ts'

export type WireRecord = { readonly [name: string]: unknown }

/** The selected members of a record: everything, or trees of names. */
export type Selection = 'everything' | SelectedNames

interface SelectedNames {
  readonly computed: NameTree | undefined
  readonly hidden: NameTree
  /** The members whose ids are answered as names. */
  readonly idsAsNames: readonly string[]
}

/** The selected names inside each name, or all of them. */
type NameTree = Map<string, NameTree | 'whole'>

export interface SelectedFields {
  readonly fields: string
  readonly ignoreUnknownFields: boolean
}

/**
 * Parses `fields`: names of fields and of whole objects, `*` and `**` for all, `!` before an excluded name. Empty items
 * are ignored. Keys, `_links` and the default fields of a list are always included, because clients read them without a
 * request.
 */
export function parseSelection<Entity, Name extends string>(
  { fields, ignoreUnknownFields }: SelectedFields,
  records: WireRecords<Entity, Name>,
  whole: 'whole' | 'listed',
): Result<Selection, Failure> {
  const items = fields.split(',').flatMap((item) => item.trim() || [])
  const { listed, fields: known, catalogue } = records
  const computed: NameTree = new Map()
  const hidden: NameTree = new Map()
  let all = false
  let named = false
  for (const item of items) {
    const isHidden = item.startsWith('!')
    const name = isHidden ? item.slice(1) : item
    if (name === '*' || name === '**') {
      all = true
      continue
    }
    if (!isKnown(name, records)) {
      if (ignoreUnknownFields) continue
      return err({
        status: 400,
        code: codes.invalidValue,
        message: `The value "${name}" is invalid for field "fields".`,
        target: 'fields',
      })
    }
    if (!isHidden) named = true
    add(isHidden ? hidden : computed, name)
  }
  if (!named && !all && (whole === 'whole' || !listed)) all = true
  if (!all) for (const name of listed ?? []) add(computed, name)
  for (const field of catalogue.key) {
    for (const [name, wire] of Object.entries(known)) if ('field' in wire && wire.field === field) add(computed, name)
  }
  if (all && hidden.size === 0) return ok('everything')
  const idsAsNames = Object.entries(known).flatMap(([name, wire]) =>
    'idField' in wire && selectsNamesAlone(fields, name) ? (name.split('.')[0] ?? []) : [],
  )
  return ok({ computed: all ? undefined : computed, hidden, idsAsNames })
}

function isKnown<Entity, Name extends string>(
  name: string,
  { fields: known, computed, absent }: WireRecords<Entity, Name>,
): boolean {
  const first = name.split('.')[0] ?? ''
  if (Object.hasOwn(known, name) || absent?.has(first) || first === '_links') return true
  for (const one of computed ?? []) if (name === one || name.startsWith(`${one}.`)) return true
  return Object.keys(known).some((other) => other.startsWith(`${name}.`))
}

function add(tree: NameTree, name: string): void {
  const parts = name.split('.')
  const last = parts.pop() ?? ''
  let node = tree
  for (const part of parts) {
    const next = node.get(part) ?? new Map()
    if (next === 'whole') return
    node.set(part, next)
    node = next
  }
  node.set(last, 'whole')
}

/** Whether a member that is expensive to read is selected, such as `size` or `files.used`, at least in part. */
export function isSelected(selection: Selection, name: string): boolean {
  if (selection === 'everything') return true
  const { computed, hidden } = selection
  return nodeAt(hidden, name) !== 'whole' && (computed === undefined || nodeAt(computed, name) !== undefined)
}

function nodeAt(tree: NameTree, name: string): NameTree | 'whole' | undefined {
  let node: NameTree | 'whole' | undefined = tree
  for (const part of name.split('.')) if (node !== 'whole') node = node?.get(part)
  return node
}

export function select(record: WireRecord, selection: Selection): WireRecord {
  if (selection === 'everything') return record
  const { computed, hidden, idsAsNames } = selection
  return pick(idsAsNames.length > 0 ? withIdsAsNames(record, idsAsNames) : record, computed, hidden)
}

function pick(record: WireRecord, computed: NameTree | undefined, hidden: NameTree | undefined): WireRecord {
  const picked: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(record)) {
    if (name === '_links') {
      picked[name] = value
      continue
    }
    const inner = computed?.get(name)
    const without = hidden?.get(name)
    if ((computed && !inner) || without === 'whole') continue
    const names = inner === 'whole' ? undefined : inner
    picked[name] = names || without ? pickValue(value, names, without) : value
  }
  return picked
}

function pickValue(value: unknown, computed: NameTree | undefined, hidden: NameTree | undefined): unknown {
  // Items without a selected member are left out, because clients expect the requested members in each.
  if (Array.isArray(value))
    return value.map((item) => pickValue(item, computed, hidden)).filter((item) => !isEmpty(item))
  return isRecord(value) ? pick(value, computed, hidden) : value
}

const isRecord = (value: unknown): value is WireRecord => typeof value === 'object' && value !== null

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0

/** Returns a record whose users or group have their ids as names, where they have no name. */
function withIdsAsNames(record: WireRecord, members: readonly string[]): WireRecord {
  const changed: { [name: string]: unknown } = { ...record }
  for (const member of members) {
    const value = record[member]
    if (Array.isArray(value)) changed[member] = value.map(idAsName)
    else if (value !== undefined) changed[member] = idAsName(value)
  }
  return changed
}

const idAsName = (principal: unknown): unknown =>
  isRecord(principal) && 'id' in principal && !('name' in principal) ? { name: principal.id } : principal
