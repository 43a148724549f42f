import { createEmulation, createPortAllocator } from '@trivium/emulation-core'
import { emulationRoutes } from '@trivium/emulation-core/http'
import { memoryEmulationRepositories, memoryProjectFiles } from '@trivium/emulation-core/memory'
import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import type { Route } from '@trivium/http-contract'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { createStorage } from '@trivium/storage-core'
import { storageRoutes } from '@trivium/storage-core/http'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import { describe, expect, it, vi } from 'vitest'
import { fakeConsoleListener } from '../packages/emulation-core/tests/fake-console-listener.ts'
import { fakeRelay } from '../packages/emulation-core/tests/fake-relay.ts'

interface Service {
  readonly onFault: (error: unknown) => void
  readonly isClosed: boolean
  start(): Promise<unknown>
  close(): Promise<void>
}

interface Made {
  readonly service: Service
  readonly routes: (options: { readonly admin: () => boolean }) => readonly Route[]
  /** A path that the admin can read. */
  readonly path: string
  /** Calls the service as a host does first. */
  readonly callFirst: () => Promise<unknown>
}

interface MakeOptions {
  readonly onFault?: (error: unknown) => void
  /** Called with the name of every method of a repository that is called. */
  readonly onCall?: (name: string) => void
}

const watched = <Repositories extends object>(
  repositories: Repositories,
  onCall: MakeOptions['onCall'],
): Repositories =>
  // The result has the same entries.
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
    const callFirst = async () => service.apiKeys.validate(`tvm_${'a'.repeat(43)}`)
    return { service, callFirst, routes: (options) => gatewayRoutes(service, options), path: '/v1/auth/keys' }
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
    const callFirst = async () => service.projects.list()
    return { service, callFirst, routes: (options) => emulationRoutes(service, options), path: '/v1/projects' }
  },
  storage({ onCall, ...options }) {
    const repositories = watched(memoryStorageRepositories(), onCall)
    const volumes = [{ name: 'vol1', backend: simulatedVolume() }]
    const service = createStorage({ repositories, volumes, ...options })
    const all = { query: { all: [] }, order: [{ field: 'name', descending: false }], limit: 10 } as const
    return {
      service,
      routes: (options) => storageRoutes(service, options),
      path: '/api/storage/volumes',
      callFirst: async () => expect((await service.volumes.list(all)).records).toMatchObject([{ name: 'vol1' }]),
    }
  },
}

describe.each(Object.entries(services))('the service %s', (name, make) => {
  it('calls no repository when it is created', async () => {
    const onCall = vi.fn()
    const { service } = make({ onCall })
    expect(onCall).not.toHaveBeenCalled()
    await service.close()
  })

  it('answers before it is started', async () => {
    const onFault = vi.fn()
    const { service, callFirst } = make({ onFault })
    await callFirst()
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

  it('answers 503 after it is closed, without a fault', async () => {
    const onFault = vi.fn()
    const { service, routes, path } = make({ onFault })
    const answer = fetchHandler(routes({ admin: () => true }))
    const headers = { authorization: `Basic ${btoa('admin:secret')}` }
    const callFirst = async () => await answer(new Request(`http://localhost${path}`, { headers }))
    expect((await callFirst())?.status).toBe(200)
    expect(service.isClosed).toBe(false)
    await service.close()
    expect(service.isClosed).toBe(true)
    const refused = await callFirst()
    expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused?.text()).toContain(`The ${name} is shutting down`)
    expect(onFault).not.toHaveBeenCalled()
  })

  it('reports faults to the console without `onFault`', () => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    try {
      make({}).service.onFault('broken')
      expect(error.mock.calls).toEqual([[`Background work of the ${name} has failed:`, 'broken']])
    } finally {
      error.mockRestore()
    }
  })

  it('continues when `onFault` throws', () => {
    const onFault = vi.fn(() => {
      throw new Error('no room in the log')
    })
    make({ onFault }).service.onFault('broken')
    expect(onFault).toHaveBeenCalledOnce()
  })
})
