import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { hasCode } from '../files/error-code.ts'

const SYSTEM = '/sys/fs/btrfs'

/**
 * Reads which file system is on a device, and the number of its newest transaction. A write to it either changes the
 * number or belongs to a transaction that had begun already. Takes no program.
 *
 * @param source the device, as in the list of mounts
 * @returns `undefined` where the kernel does not show it
 */
export async function readGeneration(source: string): Promise<string | undefined> {
  const device = basename((await orUndefined(realpath(source))) ?? source)
  for (const uuid of (await orUndefined(readdir(SYSTEM))) ?? []) {
    const devices = await orUndefined(readdir(`${SYSTEM}/${uuid}/devices`))
    if (!devices?.includes(device)) continue
    const generation = await orUndefined(readFile(`${SYSTEM}/${uuid}/generation`, 'utf8'))
    return generation === undefined || !/^\d+\n$/.test(generation) ? undefined : `${uuid}/${generation.trim()}`
  }
  return undefined
}

async function orUndefined<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ENODEV'].some((code) => hasCode(error, code))) return undefined
    throw error
  }
}
