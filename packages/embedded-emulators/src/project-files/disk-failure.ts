import { StoreFailure } from '@trivium/emulation-core'
import { hasCode } from './safe-path.ts'

/** A `StoreFailure` where the disk is full, over a quota, read-only or broken; every other error as it is. */
export const diskFailure = (error: unknown): unknown =>
  hasCode(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO') ? new StoreFailure(error) : error

/** Does something with the disk, and rejects with a `StoreFailure` where the disk is what failed. */
export async function onDisk<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw diskFailure(error)
  }
}
