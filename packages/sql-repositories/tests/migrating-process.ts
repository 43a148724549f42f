import { once } from 'node:events'
import { migrateEmulation } from '../src/emulation/migrate-emulation.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { openDatabase } from '../src/open-database.ts'
import { migrateStorage } from '../src/storage/migrate-storage.ts'

// Opens the database of each address that it receives, and migrates it at the next message, until its parent leaves.
while (process.connected) {
  const [url] = await once(process, 'message')
  const database = await openDatabase(url)
  process.send?.('ready')
  await once(process, 'message')
  await Promise.all([migrateGateway(database), migrateStorage(database), migrateEmulation(database)])
  await database.close()
  process.send?.('migrated')
}
