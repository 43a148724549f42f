import type { Schema } from '../../dialects/schema.ts'
import { createRuleIndexes, createRuleUserIndexes, ruleTable, ruleUserTable } from './quota-rule-tables.ts'

export async function quotas({ createTable, createIndex, types }: Schema): Promise<void> {
  await ruleTable(createTable('storage_quota_rules'), types).execute()
  await createRuleIndexes(createIndex)
  await ruleUserTable(createTable('storage_quota_rule_users'), types, 'storage_quota_rule_users_key').execute()
  await createRuleUserIndexes(createIndex)

  await createTable('storage_quota_rule_keys')
    .addColumn('volume_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('key_hash', types.varchar(64), (column) => column.notNull())
    .addColumn('rule_uuid', types.varchar(64), (column) => column.notNull())
    .addPrimaryKeyConstraint('storage_quota_rule_keys_key', ['volume_uuid', 'key_hash'])
    .execute()
  await createIndex('storage_quota_rule_keys_rule', 'storage_quota_rule_keys', ['rule_uuid'])

  await createTable('storage_enforced_quotas')
    .addColumn('volume_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('rule_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('document', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('storage_enforced_quotas_key', ['volume_uuid', 'rule_uuid'])
    .execute()
}
