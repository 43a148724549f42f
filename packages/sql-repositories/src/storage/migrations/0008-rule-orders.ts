import type { Schema } from '../../dialects/schema.ts'

/**
 * Indexes of the quota rules that end with the key, so that each serves a page of its columns in both directions. Those
 * that they replace are dropped.
 */
export async function ruleOrders({ createIndex, dropIndex }: Schema): Promise<void> {
  const rules = 'storage_quota_rules'
  const optional = ['qtree_name', 'group_name', 'group_id', 'space_hard', 'space_soft', 'files_hard', 'files_soft']
  const create = (name: string, columns: readonly string[]) =>
    createIndex(`${rules}_by_${name}`, rules, [...columns, 'uuid'], { optional })
  await create('svm', ['svm_name'])
  await create('volume', ['volume_uuid'])
  await create('volume_name', ['volume_name'])
  await create('volume_qtree', ['volume_name', 'qtree_name'])
  await create('qtree', ['qtree_name'])
  await create('qtree_volume', ['qtree_name', 'volume_name'])
  await create('group', ['group_name'])
  await create('group_id', ['group_id'])
  await create('space_hard', ['space_hard'])
  await create('space_soft', ['space_soft'])
  await create('files_hard', ['files_hard'])
  await create('files_soft', ['files_soft'])
  for (const name of ['volume_name', 'qtree', 'group', 'group_id']) await dropIndex(`${rules}_${name}`, rules)
}
