import { VolumeRefusal } from '@trivium/storage-core/ports'
import type { QuotaEnforcement } from './quotas/quota-enforcement.ts'

/** What the administrator of a volume's machine does to it, without the storage service. */
export interface SimulatedHost {
  /**
   * Unmounts the volume. `inspect` then returns `offline`, and operations on the file system reject with `failed`. The
   * files stay, and {@link SimulatedVolume.files} can still change them.
   */
  unmount(): void
  /** Mounts the volume again, with its files and limits. */
  mount(): void
  /** Returns whether the volume is mounted. A new volume is. */
  isMounted(): boolean
  /**
   * Switches quotas off in the file system itself, and removes every limit. `changeLimits` then rejects with `failed`,
   * until {@link enableQuotas} or the `enableQuota` of the backend.
   */
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
