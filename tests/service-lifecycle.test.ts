import { createEmulation, createPortAllocator } from '@trivium/emulation-core'
import { createGateway } from '@trivium/gateway-core'
import { memoryEmulationRepositories, memoryProjectFiles } from '@trivium/memory-repositories/emulation'
import { memoryGatewayRepositories } from '@trivium/memory-repositories/gateway'
import { memoryStorageRepositories } from '@trivium/memory-repositories/storage'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { createStorage } from '@trivium/storage-core'
import { describe, expect, it, vi } from 'vitest'
import { fakeConsoleListener } from '../packages/emulation-core/tests/fake-console-listener.ts'
import { fakeRelay } from '../packages/emulation-core/tests/fake-relay.ts'

interface Service {
  readonly onFault: (error: unknown) => void
  start(): Promise<unknown>
  close(): Promise<void>
}

interface Made {
  readonly service: Service
  /** The first thing that a host asks. */
  readonly ask: () => Promise<unknown>
}

interface MakeOptions {
  readonly onFault?: (error: unknown) => void
  /** Takes the name of every method of a repository that is called. */
  readonly onCall?: (name: string) => void
}

const watched = <Repositories extends object>(
  repositories: Repositories,
  onCall: MakeOptions['onCall'],
): Repositories =>
  // The entries are the same ones.
  Object.fromEntries(
    Object.entries(repositories).map(([place, repository]) => [
      place,
      new Proxy(repository, {
        get(target, name) {
          const method: unknown = Reflect.get(target, name)
          if (typeof method !== 'function') return method
          return (...values: readonly unknown[]) => {
            onCall?.(`${place}.${String(name)}`)
            return Reflect.apply(method, target, values)
          }
        },
      }),
    ]),
  ) as Repositories

const services: Readonly<Record<string, (options: MakeOptions) => Made>> = {
  gateway({ onCall, ...options }) {
    const repositories = watched(memoryGatewayRepositories(), onCall)
    const service = createGateway({ repositories, providers: [], ...options })
    return { service, ask: async () => service.apiKeys.validate(`tvm_${'a'.repeat(43)}`) }
  },
  emulation({ onCall, ...options }) {
    const repositories = watched(memoryEmulationRepositories(), onCall)
    const service = createEmulation({
      repositories,
      emulators: {},
      relay: fakeRelay(),
      ports: createPortAllocator({ isFree: async () => true }),
      files: memoryProjectFiles(),
      consoles: fakeConsoleListener().listener,
      ...options,
    })
    return { service, ask: async () => service.projects.list() }
  },
  storage({ onCall, ...options }) {
    const repositories = watched(memoryStorageRepositories(), onCall)
    const volumes = [{ name: 'vol1', backend: simulatedVolume() }]
    const service = createStorage({ repositories, volumes, ...options })
    const all = { query: { all: [] }, order: [{ field: 'name', descending: false }], limit: 10 } as const
    return {
      service,
      ask: async () => expect((await service.volumes.list(all)).records).toMatchObject([{ name: 'vol1' }]),
    }
  },
}

describe.each(Object.entries(services))('%s', (name, make) => {
  it('asks no store when it is created', async () => {
    const onCall = vi.fn()
    const { service } = make({ onCall })
    expect(onCall).not.toHaveBeenCalled()
    await service.close()
  })

  it('answers without having been started', async () => {
    const onFault = vi.fn()
    const { service, ask } = make({ onFault })
    await ask()
    expect(onFault).not.toHaveBeenCalled()
    await service.close()
  })

  it('starts once and closes once', async () => {
    const { service } = make({})
    expect(await service.start()).toBe(await service.start())
    expect(service.close()).toBe(service.close())
    await service.close()
    await expect(service.start()).rejects.toThrow(`The ${name} is closed`)
  })

  it('reports faults to the console where the host takes none', () => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    try {
      make({}).service.onFault('broken')
      expect(error.mock.calls).toEqual([['broken']])
    } finally {
      error.mockRestore()
    }
  })

  it('continues where the host throws at a fault', () => {
    const onFault = vi.fn(() => {
      throw new Error('no room in the log')
    })
    make({ onFault }).service.onFault('broken')
    expect(onFault).toHaveBeenCalledOnce()
  })
})
