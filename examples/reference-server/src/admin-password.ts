import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface AdminPassword {
  readonly password: string
  /** Made just now: to be shown, this once. */
  readonly isNew: boolean
  /** Where it is kept; absent where the host gave it. */
  readonly file?: string
}

/** The given password, else the one kept in the data directory, else a new one that is kept there with mode 0600. */
export function adminPassword(given: string | undefined, dataDirectory: string): AdminPassword {
  if (given !== undefined) return { password: given, isNew: false }
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
  const file = join(dataDirectory, 'admin-password')
  const password = randomBytes(18).toString('base64url')
  // Linked into place whole: a server that starts at the same moment never reads half a password.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${password}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
    return { password, isNew: true, file }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return { password: readFileSync(file, 'utf8').trim(), isNew: false, file }
  } finally {
    rmSync(draft)
  }
}
