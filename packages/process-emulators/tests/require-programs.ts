import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { defaultProgramDirectories } from '../src/processes/find-program.ts'

const isInstalled = (program: string) =>
  defaultProgramDirectories.some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Defines a suite that requires these programs. Without them, the suite is reported by {@link reportSkipped}. */
export function describeWith(programs: readonly string[], name: string, suite: () => void): void {
  const missing = programs.filter((program) => !isInstalled(program))
  if (missing.length === 0) describe(name, suite)
  else reportSkipped(name, `${missing.join(', ')} is not installed`)
}

/** Prints which suite is skipped and why. Fails instead if `TRIVIUM_REQUIRE_SERVICES` is 1. */
export function reportSkipped(name: string, reason: string): void {
  const message = `Skipped: ${name}: ${reason}`
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') {
    it(name, () => {
      throw new Error(message)
    })
    return
  }
  console.warn(message)
  it.skip(message, () => {})
}
