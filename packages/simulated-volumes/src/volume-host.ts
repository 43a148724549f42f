import { VolumeRefusal } from '@trivium/storage-core/ports'
import type { QuotaEnforcement } from './quotas/quota-enforcement.ts'

/** What the administrator of a volume's machine does to it, without the storage service. */
export interface SimulatedHost {
  /** Unmounts the volume, which then refuses every operation. Its files stay. */
  unmount(): void
  /** Mounts the volume again, with its files and limits. */
  mount(): void
  isMounted(): boolean
  /** Switches quotas off in the file system itself, and removes every limit. */
  disableQuotas(): void
  /** Switches quotas on again, without any limit. */
  enableQuotas(): void
}

export const NOT_MOUNTED = 'The file system is not mounted'

export interface VolumeHost {
  readonly host: SimulatedHost
  /** Wraps methods so that they reject with `failed` while the volume is not mounted. */
  readonly whileMounted: <Methods extends object>(methods: Methods) => Methods
  /** Whether quotas are on in the file system. */
  readonly enforces: () => boolean
}

export function volumeHost({ enforcement }: { readonly enforcement: QuotaEnforcement }): VolumeHost {
  let isMounted = true
  let enforces = true
  return {
    enforces: () => enforces,
    whileMounted: (methods) =>
      new Proxy(methods, {
        get: (object, name) => {
          const method: unknown = Reflect.get(object, name)
          if (typeof method !== 'function') return method
          return async (...values: readonly unknown[]): Promise<unknown> => {
            if (!isMounted) throw new VolumeRefusal('failed', NOT_MOUNTED)
            return Reflect.apply(method, object, values)
          }
        },
      }),
    host: {
      unmount: () => {
        isMounted = false
      },
      mount: () => {
        isMounted = true
      },
      isMounted: () => isMounted,
      disableQuotas: () => {
        enforces = false
        enforcement.replace([])
      },
      enableQuotas: () => {
        enforces = true
      },
    },
  }
}
