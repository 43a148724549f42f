import { spawnSync } from 'node:child_process'

/**
 * Whether the system has a program. Where it is missing, prints which tests are skipped, or throws if
 * `TRIVIUM_REQUIRE_SERVICES` is 1.
 */
export const hasProgram = (name: string, debianPackage: string): boolean => {
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).status === 0
  if (found) return true
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(`${name} is required: install ${debianPackage}`)
  console.warn(`Skipped: tests that need ${name} (Debian package ${debianPackage})`)
  return false
}
