import type { CreateTableBuilder } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

type Types = Schema['types']
type CreateIndex = Schema['createIndex']

/** The first version of the tables of rules, for the migrations that create them and those that create them again. */
export const ruleTable = (table: CreateTableBuilder<string>, types: Types) =>
  table
    .addColumn('uuid', types.varchar(64), (column) => column.primaryKey().notNull())
    .addColumn('svm_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('svm_name', types.varchar(255), (column) => column.notNull())
    .addColumn('volume_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('volume_name', types.varchar(255), (column) => column.notNull())
    .addColumn('type', types.varchar(16), (column) => column.notNull())
    .addColumn('users', types.text)
    .addColumn('group_name', types.varchar(512))
    .addColumn('group_id', types.varchar(512))
    .addColumn('qtree_name', types.varchar(255))
    .addColumn('qtree_id', types.integer)
    .addColumn('user_mapping', types.integer)
    .addColumn('space_hard', types.integer)
    .addColumn('space_soft', types.integer)
    .addColumn('files_hard', types.integer)
    .addColumn('files_soft', types.integer)

export const ruleUserTable = (table: CreateTableBuilder<string>, types: Types, key: string) =>
  table
    .addColumn('rule_uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('position', types.integer, (column) => column.notNull())
    .addColumn('name', types.varchar(512))
    .addColumn('id', types.varchar(512))
    .addPrimaryKeyConstraint(key, ['rule_uuid', 'position'])

export async function createRuleIndexes(createIndex: CreateIndex): Promise<void> {
  await createIndex('storage_quota_rules_volume', 'storage_quota_rules', ['volume_uuid', 'qtree_name'])
  await createIndex('storage_quota_rules_volume_name', 'storage_quota_rules', ['volume_name', 'qtree_name'])
  await createIndex('storage_quota_rules_qtree', 'storage_quota_rules', ['qtree_name'])
  await createIndex('storage_quota_rules_group', 'storage_quota_rules', ['group_name'])
}

export async function createRuleUserIndexes(createIndex: CreateIndex): Promise<void> {
  await createIndex('storage_quota_rule_users_name', 'storage_quota_rule_users', ['name'])
  await createIndex('storage_quota_rule_users_id', 'storage_quota_rule_users', ['id'])
}
