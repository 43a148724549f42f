import { execFile } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A small real file system in memory. */
export interface SmallDisk {
  readonly directory: string
  /** Fills the free space to the last block. */
  fill(): void
  /** Frees the space that `fill` took. */
  free(): void
  unmount(): Promise<void>
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const directory = await mkdtemp(join(tmpdir(), 'trivium-small-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', directory])
  const filler = join(directory, 'filler')
  return {
    directory,
    fill() {
      const file = openSync(filler, 'a')
      for (const size of [2 ** 16, 2 ** 12, 1]) writeUntilFull(file, Buffer.alloc(size))
      closeSync(file)
    },
    free: () => rmSync(filler),
    async unmount() {
      await run('umount', [directory])
      await rm(directory, { recursive: true })
    },
  }
}

function writeUntilFull(file: number, piece: Uint8Array): void {
  try {
    for (;;) writeSync(file, piece)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

/** Whether this machine can mount a `tmpfs`. With `TRIVIUM_REQUIRE_SERVICES=1`, throws where it cannot. */
export async function canMountSmallDisks(): Promise<boolean> {
  try {
    await (await mountSmallDisk(1)).unmount()
    return true
  } catch (error) {
    const message = `no tmpfs can be mounted here (${error instanceof Error ? error.message : error}): its tests are skipped`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
    console.warn(message)
    return false
  }
}
