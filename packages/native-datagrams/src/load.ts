import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { NativeDatagrams } from './native-datagrams.ts'

/** Who learns that the native code can't run here. */
export interface LoadOptions {
  /** Told why there is none. */
  readonly onAbsent?: (reason: Error) => void
}

const packageDirectory = fileURLToPath(new URL('..', import.meta.url))

const isNativeDatagrams = (value: unknown): value is NativeDatagrams =>
  typeof value === 'object' &&
  value !== null &&
  'size' in value &&
  typeof value.size === 'number' &&
  ['receive', 'take', 'send'].every((name) => typeof Reflect.get(value, name) === 'function')

function load(): NativeDatagrams {
  const find: unknown = createRequire(import.meta.url)('node-gyp-build')
  if (typeof find !== 'function') throw new Error('node-gyp-build is not what it was')
  const found: unknown = find(packageDirectory)
  if (!isNativeDatagrams(found)) throw new Error('The native binary is of another version')
  return found
}

/**
 * The binary for this platform. `undefined` where the package has none: on anything but Linux with glibc, and in a
 * checkout that was not built. Whoever is handed `undefined` does without.
 */
export function loadNativeDatagrams({ onAbsent }: LoadOptions = {}): NativeDatagrams | undefined {
  try {
    return load()
  } catch (cause) {
    onAbsent?.(cause instanceof Error ? cause : new Error('The native binary can not be loaded', { cause }))
    return undefined
  }
}
