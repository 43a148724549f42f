import { spawnSync } from 'node:child_process'

/**
 * Whether a program of the system is there. Where it is not, what needs it is skipped with a notice, or fails where
 * services are required.
 */
export const hasProgram = (name: string, debianPackage: string): boolean => {
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).status === 0
  if (found) return true
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(`${name} is required: install ${debianPackage}`)
  console.warn(`Skipped: what needs ${name} (Debian package ${debianPackage}) is not tested`)
  return false
}
