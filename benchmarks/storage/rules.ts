import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

const VOLUMES = 50
/** Databases allow about 32,000 values in a statement. */
const BATCH = 1_000

/**
 * Adds so many rules of trees, users and groups to the tables of the quota rules, as the repository stores them. In one
 * statement for a thousand, since a million additions one by one would take ten minutes.
 */
export async function addRules(kysely: Kysely<unknown>, count: number): Promise<void> {
  const rules = Array.from({ length: count }, (_, index) => ({ index, uuid: uuid(`rule ${index}`) }))
  // In the order of the key, in which a table is filled fastest.
  rules.sort((left, right) => (left.uuid < right.uuid ? -1 : 1))
  for (let start = 0; start < count; start += BATCH) {
    const batch = rules.slice(start, start + BATCH).map(({ index, uuid }) => rowsOf(index, uuid))
    await insert(
      kysely,
      'storage_quota_rules',
      batch.map(({ rule }) => rule),
    )
    await insert(
      kysely,
      'storage_quota_rule_users',
      batch.flatMap(({ user }) => user),
    )
    await insert(
      kysely,
      'storage_quota_rule_keys',
      batch.map(({ key }) => key),
    )
  }
}

async function insert(
  kysely: Kysely<unknown>,
  table: string,
  rows: readonly Readonly<Record<string, string | number | null>>[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = sql.join(Object.keys(first).map((name) => sql.ref(name)))
  const values = sql.join(rows.map((row) => sql`(${sql.join(Object.values(row))})`))
  await sql`insert into ${sql.table(table)} (${columns}) values ${values}`.execute(kysely)
}

/** Makes an id that is spread over the whole range like a random one, so that the order of ids is not that of creation. */
function uuid(name: string): string {
  const hash = sha256(name)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

function rowsOf(index: number, ruleUuid: string) {
  const volume = `vol${index % VOLUMES}`
  const volumeUuid = uuid(volume)
  const isLimited = index % 4 !== 0
  const type = (['user', 'tree', 'group'] as const)[index % 3] ?? 'user'
  const users = [{ name: `user${index}` }]
  return {
    rule: {
      uuid: ruleUuid,
      svm_uuid: uuid('svm1'),
      svm_name: 'svm1',
      volume_uuid: volumeUuid,
      volume_name: volume,
      type,
      users: type === 'user' ? JSON.stringify(users) : null,
      group_name: type === 'group' ? `group${index}` : null,
      group_id: null,
      qtree_name: type === 'tree' ? `qtree${index}` : null,
      qtree_id: null,
      user_mapping: null,
      space_hard: isLimited ? 1024 * (1 + (index % 1_000)) : null,
      space_soft: null,
      files_hard: isLimited ? 1 + index : null,
      files_soft: null,
    },
    user: type === 'user' ? [{ rule_uuid: ruleUuid, position: 0, name: `user${index}`, id: null }] : [],
    key: { volume_uuid: volumeUuid, key_hash: sha256(`rule ${index}`), rule_uuid: ruleUuid },
  }
}
