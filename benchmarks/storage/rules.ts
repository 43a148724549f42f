import { createHash } from 'node:crypto'
import type { BareDriver, Value } from '../databases/bare-driver.ts'

const VOLUMES = 50
const BATCH = 1_000

/**
 * Adds so many rules of trees, users and groups to the tables of the quota rules, as the repository stores them, without
 * the keys that keep targets unique, which no list reads. In one statement for a thousand, with the values in its text.
 */
export async function addRules({ run }: Pick<BareDriver, 'run'>, count: number): Promise<void> {
  const rules = Array.from({ length: count }, (_, index) => ({ index, uuid: uuid(`rule ${index}`) }))
  await run('begin')
  // In the order of the keys, in which a table is filled fastest.
  rules.sort((left, right) => (left.uuid < right.uuid ? -1 : 1))
  await fill(run, 'storage_quota_rules', rules, ({ index, uuid }) => [ruleOf(index, uuid)])
  await fill(run, 'storage_quota_rule_users', rules, ({ index, uuid }) => userOf(index, uuid))
  await run('commit')
}

type Row = Readonly<Record<string, Value>>

async function fill<Item>(
  run: BareDriver['run'],
  table: string,
  items: readonly Item[],
  rowsOf: (item: Item) => readonly Row[],
): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH) {
    await run(insertion(table, items.slice(start, start + BATCH).flatMap(rowsOf)))
  }
}

/** A statement that inserts rows of the same columns. */
function insertion(table: string, rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {}).join(', ')
  const values = rows.map((row) => `(${Object.values(row).map(literal).join(', ')})`)
  return `insert into ${table} (${columns}) values ${values.join(', ')}`
}

/** Writes a value without quotes or backslashes in SQL. */
const literal = (value: Value): string => (typeof value === 'string' ? `'${value}'` : String(value))

/** Makes an id that is spread over the whole range like a random one, so that the order of ids is not that of creation. */
function uuid(name: string): string {
  const hash = sha256(name)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const typeOf = (index: number) => (['user', 'tree', 'group'] as const)[index % 3] ?? 'user'
const nameOfVolume = (index: number): string => `vol${index % VOLUMES}`

/** The ids of names that many rules have. */
const uuids = new Map<string, string>()

function sharedUuid(name: string): string {
  const known = uuids.get(name) ?? uuid(name)
  uuids.set(name, known)
  return known
}

function ruleOf(index: number, ruleUuid: string): Row {
  const volume = nameOfVolume(index)
  const isLimited = index % 4 !== 0
  const type = typeOf(index)
  return {
    uuid: ruleUuid,
    svm_uuid: sharedUuid('svm1'),
    svm_name: 'svm1',
    volume_uuid: sharedUuid(volume),
    volume_name: volume,
    type,
    users: type === 'user' ? JSON.stringify([{ name: `user${index}` }]) : null,
    group_name: type === 'group' ? `group${index}` : null,
    group_id: null,
    qtree_name: type === 'tree' ? `qtree${index}` : null,
    qtree_id: null,
    user_mapping: null,
    space_hard: isLimited ? 1024 * (1 + (index % 1_000)) : null,
    space_soft: null,
    files_hard: isLimited ? 1 + index : null,
    files_soft: null,
  }
}

const userOf = (index: number, ruleUuid: string): readonly Row[] =>
  typeOf(index) === 'user' ? [{ rule_uuid: ruleUuid, position: 0, name: `user${index}`, id: null }] : []
