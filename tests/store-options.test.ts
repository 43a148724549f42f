import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedLab } from '@trivium/embedded-emulators'
import { createEmulation, type StoreOptions as EmulationStore } from '@trivium/emulation-core'
import { memoryEmulationRepositories } from '@trivium/emulation-core/memory'
import { createGateway, type StoreOptions as GatewayStore, StoreFailure } from '@trivium/gateway-core'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import { localProvider } from '@trivium/local-provider'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { createStorage, type StoreOptions as StorageStore } from '@trivium/storage-core'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface Opened {
  readonly service: { start(): Promise<unknown>; close(): Promise<void> }
  /** Stores something as the first operation of the service. */
  readonly write: () => Promise<unknown>
  /** Returns the names of what is stored. */
  readonly read: () => Promise<readonly string[]>
}

interface OneCore<Options> {
  readonly open: (options: Options) => Opened
  readonly repositories: Options extends { readonly repositories?: infer Repositories } ? Repositories : never
}

const onFault = () => undefined

const gateway: OneCore<GatewayStore> = {
  open(options) {
    const service = createGateway({ providers: [localProvider()], onFault, ...options })
    return {
      service,
      write: async () => (await service.apiKeys.generate({ username: 'ada' }))._unsafeUnwrap(),
      read: async () => (await service.apiKeys.list({ limit: 10 })).map(({ username }) => username),
    }
  },
  repositories: memoryGatewayRepositories(),
}

const emulation: OneCore<EmulationStore> = {
  open(options) {
    const service = createEmulation({ ...embeddedLab(), onFault, ...options })
    return {
      service,
      write: async () => (await service.projects.create({}))._unsafeUnwrap(),
      read: async () => (await service.projects.list()).map(({ revision }) => (revision === 0 ? 'ada' : '')),
    }
  },
  repositories: memoryEmulationRepositories(),
}

const storage: OneCore<StorageStore> = {
  open(options) {
    const volumes = [{ name: 'ada', backend: simulatedVolume() }]
    const service = createStorage({ volumes, onFault, ...options })
    return {
      service,
      write: async () => service.svms.list(),
      read: async () => (await service.nodes.list()).map(({ name }) => name.replace('node1', 'ada')),
    }
  },
  repositories: memoryStorageRepositories(),
}

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trivium-stores-'))
})
afterAll(() => rm(directory, { recursive: true }))

function suite<Options extends { readonly repositories?: unknown }>(
  name: string,
  { open, repositories }: OneCore<Options>,
) {
  // Programs in JavaScript pass what types refuse.
  const openAny = (options: object) => open(options as Options)

  describe(`the store of the ${name}`, () => {
    it('keeps the state in memory without options', async () => {
      const { service, write, read } = openAny({})
      await write()
      expect(await read()).toEqual(['ada'])
      await service.close()
    })

    it('opens and migrates a database with the first operation, whose state outlives the service', async () => {
      const database = `sqlite:${join(directory, `${name}.sqlite`)}`
      const first = openAny({ database })
      await first.write()
      await first.service.close()
      const second = openAny({ database })
      expect(await second.read()).toEqual(['ada'])
      await second.service.close()
      await expect(second.service.start()).rejects.toThrow(`The ${name} is closed`)
    })

    it('reports a database that cannot be opened by the start and by operations, and tries it again', async () => {
      const file = join(directory, name, 'late.sqlite')
      const { service, write } = openAny({ database: `sqlite:${file}` })
      await expect(service.start()).rejects.toSatisfy(StoreFailure.is)
      await expect(service.start()).rejects.toThrow('The database cannot be opened: ')
      await expect(write()).rejects.toSatisfy(StoreFailure.is)
      await mkdir(join(directory, name))
      await write()
      await service.close()
    })

    it('refuses two stores, and a database without an address', () => {
      expect(() => openAny({ repositories, database: 'memory:' })).toThrow("Only one of 'repositories' and 'database'")
      for (const database of ['', 5, null, 'foo:bar', 'sqlite:'])
        expect(() => openAny({ database })).toThrow("'database' must be an address")
    })
  })
}

suite('gateway', gateway)
suite('emulation', emulation)
suite('storage', storage)
