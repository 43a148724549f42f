import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'
import { createRuleIndexes, createRuleUserIndexes, ruleTable, ruleUserTable } from './quota-rule-tables.ts'

/**
 * Lists of rules go by their uuid: where rows lie in that order, a page is read in one piece, and a filter without an
 * index looks through the table once instead of going from row to row.
 */
export async function rulesInKeyOrder({ kysely, createTable, createIndex, types }: Schema): Promise<void> {
  const { keyOrder } = types
  if (keyOrder) {
    const makeAnew = async (
      name: string,
      define: (table: CreateTableBuilder<string>) => CreateTableBuilder<string>,
    ) => {
      const ordered = `${name}_ordered`
      await define(createTable(ordered)).modifyEnd(keyOrder).execute()
      await replaceBy(kysely, name, ordered)
    }
    await makeAnew('storage_quota_rules', (table) => ruleTable(table, types))
    await createRuleIndexes(createIndex)
    await makeAnew('storage_quota_rule_users', (table) => ruleUserTable(table, types, 'storage_quota_rule_users_key'))
    await createRuleUserIndexes(createIndex)
  }
  await createIndex('storage_quota_rules_group_id', 'storage_quota_rules', ['group_id'])
}

/** Indexes go with the table that they are of. */
async function replaceBy(kysely: Kysely<unknown>, name: string, other: string): Promise<void> {
  await sql`insert into ${sql.table(other)} select * from ${sql.table(name)} order by 1, 2`.execute(kysely)
  await kysely.schema.dropTable(name).execute()
  await kysely.schema.alterTable(other).renameTo(name).execute()
}
