import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface LoopMount {
  readonly directory: string
  unmount(): void
}

const SIZE = 4 * 2 ** 30

/** Mounts a new btrfs in a file. Throws where the machine cannot. */
export function mountBtrfs(): LoopMount {
  const scratch = mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  const [image, directory] = [join(scratch, 'image'), join(scratch, 'mount')]
  const run = (program: string, ...args: readonly string[]) => execFileSync(program, args, { stdio: 'pipe' })
  try {
    writeFileSync(image, '')
    truncateSync(image, SIZE)
    mkdirSync(directory)
    run('mkfs.btrfs', '-q', image)
    run('mount', '-o', 'loop', image, directory)
  } catch (error) {
    rmSync(scratch, { recursive: true })
    throw error
  }
  return {
    directory,
    unmount() {
      run('umount', directory)
      rmSync(scratch, { recursive: true })
    },
  }
}
