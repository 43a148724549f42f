import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { NativeDatagrams } from './native-datagrams.ts'

/** Options of the loader. */
export interface LoadOptions {
  /** Called with the reason where the binary cannot be loaded, before the loader returns. @default not reported */
  readonly onAbsent?: (reason: Error) => void
}

const isBinary = (value: unknown): value is Omit<NativeDatagrams, 'file'> =>
  typeof value === 'object' &&
  value !== null &&
  'size' in value &&
  typeof value.size === 'number' &&
  ['receive', 'take', 'send'].every((name) => typeof Reflect.get(value, name) === 'function')

function load(): NativeDatagrams {
  // Inside a bundle this finds the package that is installed next to the bundle.
  const require = createRequire(import.meta.url)
  const find: unknown = require('node-gyp-build')
  const path: unknown = typeof find === 'function' ? Reflect.get(find, 'path') : undefined
  if (typeof find !== 'function' || typeof path !== 'function')
    throw new Error('The package node-gyp-build does not find binaries.')
  const directory = dirname(require.resolve('@trivium/native-datagrams/package.json'))
  const [file, binary]: readonly unknown[] = [path(directory), find(directory)]
  if (typeof file !== 'string' || !isBinary(binary)) throw new Error('The native binary is of another version.')
  const { size, receive, take, send } = binary
  return { file, size, receive, take, send }
}

/**
 * Loads the binary for this platform. `undefined` where the package has none: on systems other than Linux on x64 and
 * arm64. The relay then sends and receives frame by frame, as without this package.
 *
 * @example
 * ```ts
 * import { createPortAllocator } from '@trivium/emulation-core'
 * import { dataPlane, portProbe } from '@trivium/embedded-emulators'
 * import { loadNativeDatagrams } from '@trivium/native-datagrams'
 *
 * const ports = createPortAllocator({ isFree: portProbe() })
 * const batches = loadNativeDatagrams({ onAbsent: ({ message }) => console.warn(message) })
 *
 * export const { relay, ethernetSwitch } = dataPlane({ ports, batches })
 * ```
 */
export function loadNativeDatagrams({ onAbsent }: LoadOptions = {}): NativeDatagrams | undefined {
  try {
    return load()
  } catch (cause) {
    onAbsent?.(cause instanceof Error ? cause : new Error('The native binary cannot be loaded.', { cause }))
    return undefined
  }
}
