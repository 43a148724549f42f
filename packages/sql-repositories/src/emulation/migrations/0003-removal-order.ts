import type { Schema } from '../../dialects/schema.ts'

export async function removalOrder({ createIndex }: Schema): Promise<void> {
  await createIndex('emulation_removals_order', 'emulation_removals', ['project_id', 'position', 'id'])
}
