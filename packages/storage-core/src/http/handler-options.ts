import type { Storage } from '../create-storage.ts'

export interface HandlerOptions {
  readonly storage: Storage
  readonly clusterName: string
}
