import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'
import { createRuleIndexes, createRuleUserIndexes, ruleTable, ruleUserTable } from './quota-rule-tables.ts'

/**
 * Stores rules in the order of their uuid, which lists use. A page is then read in one piece, and a filter without an
 * index scans the table once instead of fetching row by row.
 */
export async function rulesInKeyOrder({ kysely, createTable, createIndex, types }: Schema): Promise<void> {
  const { keyOrder } = types
  if (keyOrder) {
    const recreateTable = async (
      name: string,
      define: (table: CreateTableBuilder<string>) => CreateTableBuilder<string>,
    ) => {
      const ordered = `${name}_ordered`
      await define(createTable(ordered)).modifyEnd(keyOrder).execute()
      await replaceTable(kysely, name, ordered)
    }
    await recreateTable('storage_quota_rules', (table) => ruleTable(table, types))
    await createRuleIndexes(createIndex)
    await recreateTable('storage_quota_rule_users', (table) =>
      ruleUserTable(table, types, 'storage_quota_rule_users_key'),
    )
    await createRuleUserIndexes(createIndex)
  }
  await createIndex('storage_quota_rules_group_id', 'storage_quota_rules', ['group_id'])
}

/** Replaces a table by another one. Drops the indexes of the first. */
async function replaceTable(kysely: Kysely<unknown>, name: string, other: string): Promise<void> {
  await sql`insert into ${sql.table(other)} select * from ${sql.table(name)} order by 1, 2`.execute(kysely)
  await kysely.schema.dropTable(name).execute()
  await kysely.schema.alterTable(other).renameTo(name).execute()
}
