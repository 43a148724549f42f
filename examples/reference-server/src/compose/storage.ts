import type { AdminCheck, Route } from '@trivium/http-contract'
import { createStorage, type Storage } from '@trivium/storage-core'
import { storageRoutes } from '@trivium/storage-core/http'
import type { Settings } from '../settings.ts'
import type { Stores } from './stores.ts'
import { openVolumes } from './volumes.ts'

export interface StorageParts {
  readonly settings: Settings
  readonly stores: Stores
  readonly isAdmin: AdminCheck
  readonly onFault: (error: unknown) => void
}

export interface StorageService {
  readonly label: string
  readonly storage: Storage
  readonly routes: readonly Route[]
  close(): Promise<void>
}

export async function composeStorage({ settings, stores, isAdmin, onFault }: StorageParts): Promise<StorageService> {
  const volumes = await openVolumes(settings)
  const storage = createStorage({
    repositories: stores.storage,
    volumes,
    onFault,
  })
  await storage.start()
  return {
    label: `node1, svm1; ${volumes.map(({ name, location }) => `${name} on ${location === 'simulated' ? 'a simulated file system' : location}`).join(', ')}`,
    storage,
    routes: storageRoutes(storage, { admin: isAdmin, onFault }),
    close: () => storage.close(),
  }
}
