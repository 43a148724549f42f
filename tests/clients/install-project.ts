import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const projects = join(import.meta.dirname, 'projects')

/** Where installations are kept between runs: one for each client, so their number is bounded. */
const cache = process.env.TRIVIUM_CLIENTS_CACHE ?? join(homedir(), '.cache/trivium-clients')

/**
 * Installs exactly what the lock file of a client has, without install scripts, in a directory that its contents name. A
 * later run with the same lock file uses it again. Installations of other lock files of the client are removed.
 *
 * @returns the directory
 */
export async function installProject(name: string): Promise<string> {
  const lock = readFileSync(join(projects, name, 'package-lock.json'))
  const prefix = `${name}@`
  const directory = join(cache, `${prefix}${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`)
  if (existsSync(directory)) return directory
  mkdirSync(cache, { recursive: true })
  for (const old of readdirSync(cache).filter((entry) => entry.startsWith(prefix))) {
    rmSync(join(cache, old), { recursive: true, force: true })
  }
  const unfinished = mkdtempSync(join(cache, prefix))
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(projects, name, file), join(unfinished, file))
  }
  await run('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: unfinished,
  })
  renameSync(unfinished, directory)
  return directory
}
