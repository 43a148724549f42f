import type { Schema } from '../../dialects/schema.ts'

/**
 * The usage of volumes and quota targets over time. A row of points holds 64 targets of one interval: a year of 10,000
 * targets is 230,000 rows, and of one target it is 400.
 */
export async function usageHistory({ createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('storage_usage_volumes')
    .addColumn('number', types.countingKey)
    .addColumn('uuid', types.varchar(64), (column) => column.notNull())
    .addColumn('claimed_at', types.integer)
    .execute()
  await createIndex('storage_usage_volumes_uuid', 'storage_usage_volumes', ['uuid'], { unique: true })

  const targets = createTable('storage_usage_targets')
    .addColumn('volume', types.integer, (column) => column.notNull())
    .addColumn('target', types.integer, (column) => column.notNull())
    .addColumn('position', types.integer, (column) => column.notNull())
    .addColumn('seen_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('storage_usage_targets_key', ['volume', 'target'])
  await (types.keyOrder ? targets.modifyEnd(types.keyOrder) : targets).execute()
  await createIndex('storage_usage_targets_seen', 'storage_usage_targets', ['seen_at', 'volume', 'target'])
  await createIndex('storage_usage_targets_position', 'storage_usage_targets', ['volume', 'position'], { unique: true })

  const points = createTable('storage_usage_points')
    .addColumn('volume', types.integer, (column) => column.notNull())
    .addColumn('resolution', types.integer, (column) => column.notNull())
    .addColumn('block', types.integer, (column) => column.notNull())
    .addColumn('at', types.integer, (column) => column.notNull())
    .addColumn('seconds', types.integer, (column) => column.notNull())
    .addColumn('amounts', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('storage_usage_points_key', ['volume', 'resolution', 'block', 'at'])
  await (types.keyOrder ? points.modifyEnd(types.keyOrder) : points).execute()
  await createIndex('storage_usage_points_age', 'storage_usage_points', ['resolution', 'at'])
}
