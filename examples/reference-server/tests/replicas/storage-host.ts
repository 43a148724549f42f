import { flushCompileCache } from 'node:module'
import { openLinuxVolume } from '@trivium/linux-volumes'
import { openDatabase } from '@trivium/sql-repositories'
import { sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { createStorage } from '@trivium/storage-core'
import type { VolumeBackend } from '@trivium/storage-core/ports'

/** What a host reports about its background work. Times are nanoseconds of a clock that all processes of a machine share. */
export type HostMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun' | 'ended'; readonly work: string; readonly at: string }
  | { readonly kind: 'expired'; readonly token: string }
  | { readonly kind: 'split'; readonly path: string; readonly position: number }

export const LEASE_SECONDS = 3
export const RETENTION_SECONDS = 4

const [url = '', directory = ''] = process.argv.slice(2)

const report = (message: HostMessage) => process.send?.(message)

/** Reports when each call of these methods begins and ends. */
function reporting(
  backend: VolumeBackend,
  workOf: Readonly<Record<string, (subject: unknown) => string>>,
): VolumeBackend {
  return new Proxy(backend, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      const describe = workOf[String(name)]
      return async (...values: readonly unknown[]): Promise<unknown> => {
        if (!describe) return Reflect.apply(method, target, values)
        const work = describe(values[0])
        report({ kind: 'begun', work, at: String(process.hrtime.bigint()) })
        try {
          return await Reflect.apply(method, target, values)
        } finally {
          report({ kind: 'ended', work, at: String(process.hrtime.bigint()) })
        }
      }
    },
  })
}

if (process.send !== undefined && url !== '') {
  // Later hosts load the compiled code. This process can be killed before it writes the cache at its end.
  flushCompileCache()
  const database = await openDatabase(url)
  const backend = reporting(await openLinuxVolume({ directory }), {
    changeLimits: () => 'quotas',
    enableQuota: () => 'quotas',
    unshare: (file) => `split of ${JSON.stringify(file)}`,
  })
  const storage = createStorage({
    repositories: sqlStorageRepositories(database),
    volumes: [{ name: 'vol1', backend }],
    leaseSeconds: LEASE_SECONDS,
    lookSeconds: 0.1,
    jobRetentionSeconds: RETENTION_SECONDS,
    splitSliceSize: 2 ** 18,
    onFault: console.error,
  })
  storage.events.on('clone-token.expired', ({ uuid }) => report({ kind: 'expired', token: uuid }))
  for (const event of ['split.progress', 'split.done'] as const) {
    storage.events.on(event, ({ path, position }) => report({ kind: 'split', path, position }))
  }
  await storage.start()
  report({ kind: 'ready' })
  process.once('disconnect', async () => {
    await storage.close()
    await database.close()
  })
}
