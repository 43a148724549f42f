import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A real file system of the test's own with a simulated power failure. */
export interface UnreliableDisk {
  readonly directory: string
  /** Writes all data to the disk. */
  sync(): Promise<void>
  /** Prevents every further write to the disk, so that data without a sync is lost. */
  losePower(): Promise<void>
  /** Mounts the disk as it is after the failure. No program may have a file of it open. */
  powerOn(): Promise<void>
  remove(): Promise<void>
}

/** Mounts ext4 in a file. The failure is the kernel's shutdown of a file system, without a write of its journal. */
export async function mountUnreliableDisk(megabytes: number): Promise<UnreliableDisk> {
  const scratch = await mkdtemp(join(tmpdir(), 'trivium-forgetful-disk-'))
  const [image, directory] = [join(scratch, 'image'), join(scratch, 'mount')]
  await writeFile(image, '')
  await truncate(image, megabytes * 2 ** 20)
  await run('mkfs.ext4', ['-q', image])
  await run('mkdir', [directory])
  // The kernel does not write the journal on a timer during a test.
  const mount = () => run('mount', ['-o', 'loop,commit=600', image, directory])
  await mount()
  return {
    directory,
    sync: async () => void (await run('sync', ['-f', directory])),
    losePower: async () => void (await run('xfs_io', ['-x', '-c', 'shutdown', directory])),
    async powerOn() {
      await run('umount', [directory])
      await mount()
    },
    async remove() {
      await run('umount', [directory])
      await rm(scratch, { recursive: true })
    },
  }
}

/**
 * Returns whether this machine can simulate a power failure after which synced data is kept, and other data is lost.
 *
 * @throws where it cannot and TRIVIUM_REQUIRE_SERVICES=1
 */
export async function canMountUnreliableDisks(): Promise<boolean> {
  try {
    const disk = await mountUnreliableDisk(32)
    const file = join(disk.directory, 'file')
    await writeFile(file, 'synced')
    await disk.sync()
    await appendFile(file, ' and lost')
    await disk.losePower()
    await disk.powerOn()
    const kept = await readFile(file, 'utf8')
    await disk.remove()
    if (kept !== 'synced') throw new Error(`the disk kept '${kept}'`)
    return true
  } catch (error) {
    const message = `A power failure cannot be simulated here (${error instanceof Error ? error.message : error}): its tests are skipped`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
    console.warn(message)
    return false
  }
}
