import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Returns whether a program is installed. Where it is not, prints the Debian packages that contain it, and that the tests
 * that need it are skipped.
 *
 * @throws where it is not installed and TRIVIUM_REQUIRE_SERVICES=1, as in CI
 */
export async function requireProgram(program: string, packages: string): Promise<boolean> {
  try {
    await promisify(execFile)('which', [program])
    return true
  } catch {
    const message = `${program} is not installed (apt-get install ${packages}): the tests that need it are skipped`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
    console.warn(message)
    return false
  }
}
