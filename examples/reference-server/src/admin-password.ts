import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateDirectory, writePrivateFile } from './private-files.ts'

export interface AdminPassword {
  readonly password: string
  /** Made just now: to be shown, this once. */
  readonly isNew: boolean
  /** Where it is kept; absent where the host gave it. */
  readonly file?: string
}

/** The given password, else the one kept in the data directory, else a new one that is kept there with mode 0600. */
export async function adminPassword(given: string | undefined, dataDirectory: string): Promise<AdminPassword> {
  if (given !== undefined) return { password: given, isNew: false }
  makePrivateDirectory(dataDirectory)
  const file = join(dataDirectory, 'admin-password')
  const password = randomBytes(18).toString('base64url')
  // Linked into place whole: a server that starts at the same moment never reads half a password.
  const draft = `${file}.${randomUUID()}`
  try {
    await writePrivateFile(draft, `${password}\n`, 'power')
    await link(draft, file)
    return { password, isNew: true, file }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return { password: (await readFile(file, 'utf8')).trim(), isNew: false, file }
  } finally {
    await rm(draft, { force: true })
  }
}
