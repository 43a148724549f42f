import { loadNativeDatagrams, type NativeDatagrams } from '@trivium/native-datagrams'
import { describe, it } from 'vitest'

/** Runs a suite on the binary of this platform. Elsewhere than on Linux for x64 and arm64 it is skipped with a message. */
export function describeNative(name: string, suite: (native: NativeDatagrams) => void): void {
  if (process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)) {
    const native = loadNativeDatagrams({
      onAbsent: (error) => {
        throw error
      },
    })
    if (native === undefined) throw new Error('The binary cannot be loaded.')
    describe(name, () => suite(native))
    return
  }
  const message = `Skipped: ${name}: there is no binary for ${process.platform}-${process.arch}`
  console.warn(message)
  it.skip(message, () => {})
}
