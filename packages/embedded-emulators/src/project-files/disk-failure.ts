import { StoreFailure } from '@trivium/emulation-core'
import { hasCode } from './safe-path.ts'

/** Returns a `StoreFailure` where the disk is full, over a quota, read-only or broken, and other errors unchanged. */
export const diskFailure = (error: unknown): unknown =>
  hasCode(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO') ? new StoreFailure(error) : error

/** Runs a task. Rejects with a `StoreFailure` where the disk failed, and with other errors unchanged. */
export async function onDisk<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw diskFailure(error)
  }
}
