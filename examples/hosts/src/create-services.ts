import { embeddedLab } from '@trivium/embedded-emulators'
import { createEmulation, type Emulation } from '@trivium/emulation-core'
import { createGateway, type Gateway } from '@trivium/gateway-core'
import { memoryImages } from '@trivium/gateway-core/memory'
import { localProvider } from '@trivium/local-provider'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { createStorage, type Storage } from '@trivium/storage-core'

/** The three services of a host. */
export interface Services {
  readonly gateway: Gateway
  readonly emulation: Emulation
  readonly storage: Storage
  /** Ends what runs. Close the server first. */
  close(): Promise<void>
}

/** Creates the services that each host here mounts. They keep everything in the memory of the process. */
export function createServices(): Services {
  const gateway = createGateway({ providers: [localProvider({ tokenDelayMs: 10 })], imageStore: memoryImages() })
  const emulation = createEmulation(embeddedLab())
  const storage = createStorage({ volumes: [{ name: 'homes', backend: simulatedVolume() }] })
  return {
    gateway,
    emulation,
    storage,
    async close() {
      await Promise.all([gateway.close(), emulation.close(), storage.close()])
    },
  }
}
