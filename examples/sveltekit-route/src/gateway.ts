import { createGateway } from '@trivium/gateway-core'
import { localProvider } from '@trivium/local-provider'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'

const database = await openDatabase(process.env.DATABASE_URL ?? 'memory:')
await migrateGateway(database)

/** The one gateway of the application: modules are evaluated once. */
export const gateway = createGateway({ repositories: sqlGatewayRepositories(database), providers: [localProvider()] })

export async function closeGateway(): Promise<void> {
  await gateway.close()
  await database.close()
}
