import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mistrust } from './mistrust.ts'
import { makePrivateDirectory, writePrivateFile } from './private-files.ts'
import { SettingsError } from './settings.ts'

export interface AdminPassword {
  readonly password: string
  /** Made just now: to be shown, this once. */
  readonly isNew: boolean
  /** Where it is kept; absent where the host gave it. */
  readonly file?: string
}

/**
 * The given password, else the one kept in the data directory, else a new one that is kept there with mode 0600.
 *
 * @throws SettingsError where another user can have written the one that is kept
 */
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
    return { password: await keptPassword(file), isNew: false, file }
  } finally {
    await rm(draft, { force: true })
  }
}

async function keptPassword(path: string): Promise<string> {
  const file = await open(path)
  try {
    const reason = mistrust(await file.stat(), process.getuid?.())
    if (reason !== undefined)
      throw new SettingsError(
        `The admin password in ${path} is not used because ${reasons[reason]}; remove the file, or make it yours with mode 0600.`,
      )
    return (await file.readFile('utf8')).trim()
  } finally {
    await file.close()
  }
}

const reasons = { owner: 'the file belongs to another user', writers: 'other users may write it' } as const
