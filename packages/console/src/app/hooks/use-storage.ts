import type { Client } from '@trivium/http-client'
import { storageContract } from '@trivium/storage-core/http'
import { useClient } from './use-client.ts'

export type StorageClient = Client<typeof storageContract>

/** Returns the client of the storage service. */
export const useStorage = (): StorageClient => useClient('storage', storageContract)
