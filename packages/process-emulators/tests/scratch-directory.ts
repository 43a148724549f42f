import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a directory that is removed at the end of the test. */
export async function scratchDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'trivium-test-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
