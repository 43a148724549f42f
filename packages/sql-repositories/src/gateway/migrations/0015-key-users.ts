import type { Schema } from '../../dialects/schema.ts'

/** Reports look up the usernames of users by their ids. */
export async function keyUsers({ createIndex }: Schema): Promise<void> {
  await createIndex('gateway_api_keys_person', 'gateway_api_keys', ['user_id', 'username'])
}
