import type { Schema } from '../../dialects/schema.ts'

/** An index for the rules of one volume in the order of their limit of space, of which there may be many. */
export async function rulesOfVolumeBySpace({ createIndex }: Schema): Promise<void> {
  const columns = ['volume_name', 'space_hard', 'uuid']
  await createIndex('storage_quota_rules_by_volume_space', 'storage_quota_rules', columns, { optional: ['space_hard'] })
}
