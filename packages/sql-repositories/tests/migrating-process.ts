import { once } from 'node:events'
import { migrateEmulation } from '../src/emulation/migrate-emulation.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { openDatabase } from '../src/open-database.ts'
import { migrateStorage } from '../src/storage/migrate-storage.ts'

const database = await openDatabase(process.argv[2] ?? '')
process.send?.('ready')
await once(process, 'message')
await Promise.all([migrateGateway(database), migrateStorage(database), migrateEmulation(database)])
await database.close()
process.disconnect()
