import { loadNativeDatagrams, type NativeDatagrams } from '@trivium/native-datagrams'
import { describe, it } from 'vitest'
import { build, unsupportedReason } from '../native/build.ts'

/**
 * Runs a suite on a binary that is compiled on this machine. Without a compiler the suite is skipped with a message, or
 * fails where `TRIVIUM_REQUIRE_SERVICES` is 1.
 */
export function describeNative(name: string, suite: (native: NativeDatagrams) => void): void {
  const reason = unsupportedReason()
  if (reason === undefined) {
    build()
    const native = loadNativeDatagrams({
      onAbsent: (error) => {
        throw error
      },
    })
    if (native === undefined) throw new Error('The binary that was built cannot be loaded.')
    describe(name, () => suite(native))
    return
  }
  const message = `Skipped: ${name}: ${reason}`
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') {
    it(name, () => {
      throw new Error(message)
    })
    return
  }
  console.warn(message)
  it.skip(message, () => {})
}
