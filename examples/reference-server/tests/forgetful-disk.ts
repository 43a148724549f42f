import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A real file system of the test's own whose power can fail. */
export interface ForgetfulDisk {
  readonly directory: string
  /** Puts everything that was written so far on the disk. */
  sync(): Promise<void>
  /** From now on nothing more reaches the disk: what no program has synced is lost. */
  losePower(): Promise<void>
  /** What the disk has after the loss. No program may still have it open. */
  powerOn(): Promise<void>
  remove(): Promise<void>
}

/** ext4 in a file. The loss is the kernel's own shutdown of a file system, without writing its journal. */
export async function mountForgetfulDisk(megabytes: number): Promise<ForgetfulDisk> {
  const scratch = await mkdtemp(join(tmpdir(), 'trivium-forgetful-disk-'))
  const [image, directory] = [join(scratch, 'image'), join(scratch, 'mount')]
  await writeFile(image, '')
  await truncate(image, megabytes * 2 ** 20)
  await run('mkfs.ext4', ['-q', image])
  await run('mkdir', [directory])
  // The journal is not written by time in a test.
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
 * Whether this machine has disks that forget: what was synced is there after the loss, and what was not is lost. With
 * TRIVIUM_REQUIRE_SERVICES=1 it is a failure that it has none.
 */
export async function hasForgetfulDisks(): Promise<boolean> {
  try {
    const disk = await mountForgetfulDisk(32)
    const file = join(disk.directory, 'file')
    await writeFile(file, 'synced')
    await disk.sync()
    await appendFile(file, ' and lost')
    await disk.losePower()
    await disk.powerOn()
    const kept = await readFile(file, 'utf8')
    await disk.remove()
    if (kept !== 'synced') throw new Error(`it kept '${kept}'`)
    return true
  } catch (error) {
    const message = `no disk can lose its power here (${error instanceof Error ? error.message : error}): its tests are skipped`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
    console.warn(message)
    return false
  }
}
