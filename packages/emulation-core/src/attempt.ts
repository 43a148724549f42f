import { err, ok, type Result } from 'neverthrow'
import type { RefusedError } from './emulation-error.ts'
import { isRefusal } from './refusal.ts'

/** Turns a `Refusal` into an error result. Any other rejection stays a fault. */
export async function attempt<T>(task: () => Promise<T>): Promise<Result<T, RefusedError>> {
  try {
    return ok(await task())
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { reason, message, debianPackage } = error
    return err({ type: 'refused', reason, message, ...(debianPackage === undefined ? {} : { debianPackage }) })
  }
}
