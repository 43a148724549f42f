import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type FileSystemName = 'btrfs' | 'xfs' | 'ext4'

/** A real file system for one test, in a file. */
export interface LoopMount {
  readonly directory: string
  /** The file that contains the file system. */
  readonly image: string
  unmount(): Promise<void>
}

export async function mountLoop(
  fileSystem: FileSystemName,
  megabytes: number,
  options: readonly string[] = [],
): Promise<LoopMount> {
  const scratch = await mkdtemp(join(tmpdir(), `trivium-${fileSystem}-`))
  await chmod(scratch, 0o755)
  const image = join(scratch, 'image')
  const directory = join(scratch, 'mount')
  await writeFile(image, '')
  await truncate(image, megabytes * 2 ** 20)
  await run(`mkfs.${fileSystem}`, ['-q', image])
  await run('mkdir', [directory])
  await run('mount', ['-o', ['loop', ...options].join(','), image, directory])
  return {
    directory,
    image,
    async unmount() {
      await run('umount', [directory])
      await rm(scratch, { recursive: true })
    },
  }
}

/**
 * Whether this machine can mount that file system. Where it cannot, prints a warning, or throws with
 * `TRIVIUM_REQUIRE_SERVICES=1`.
 */
export async function canMount(fileSystem: FileSystemName): Promise<boolean> {
  try {
    const mount = await mountLoop(fileSystem, 320)
    await mount.unmount()
    return true
  } catch (error) {
    const message = `no ${fileSystem} loop mount here (${error instanceof Error ? error.message : error}): its tests are skipped`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
    console.warn(message)
    return false
  }
}
