import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ownershipProblem } from './ownership-problem.ts'
import { makePrivateDirectory, writePrivateFile } from './private-files.ts'
import { SettingsError } from './settings.ts'

/** The password of the user `admin`. */
export interface AdminPassword {
  readonly password: string
  /** Whether this start made the password, so that it is shown once. */
  readonly isNew: boolean
  /** The file that stores it; absent where the settings have the password. */
  readonly file?: string
  /** Where the settings have it. @default the variable TRIVIUM_ADMIN_PASSWORD */
  readonly setting?: PasswordSetting
}

/** The place of a password in the file of `--config`. */
export interface PasswordSetting {
  /** As the operator named it. */
  readonly configFile: string
  /** The variable of the environment to which the file refers; absent where the file has the password itself. */
  readonly variable: string | undefined
}

/** Names the place where the settings have the password, for the operator. */
export function placeOfPassword({ setting }: Pick<AdminPassword, 'setting'>): string {
  if (setting === undefined) return 'TRIVIUM_ADMIN_PASSWORD'
  return setting.variable ?? `trivium_admin_password of "${setting.configFile}"`
}

/**
 * Returns the given password, else the one in the data directory, else a new one that is stored there with mode 0600.
 *
 * @throws SettingsError where another user can have written the stored password
 */
export async function adminPassword(given: string | undefined, dataDirectory: string): Promise<AdminPassword> {
  if (given !== undefined) return { password: given, isNew: false }
  makePrivateDirectory(dataDirectory)
  const file = join(dataDirectory, 'admin-password')
  const password = randomBytes(18).toString('base64url')
  // A link makes the complete file visible: a server that starts at the same time never reads half a password.
  const draft = `${file}.${randomUUID()}`
  try {
    await writePrivateFile(draft, `${password}\n`, 'power')
    await link(draft, file)
    return { password, isNew: true, file }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return { password: await readStoredPassword(file), isNew: false, file }
  } finally {
    await rm(draft, { force: true })
  }
}

async function readStoredPassword(path: string): Promise<string> {
  const file = await open(path)
  try {
    const reason = ownershipProblem(await file.stat(), process.getuid?.())
    if (reason !== undefined)
      throw new SettingsError(
        `The admin password file "${path}" is not used because ${reasons[reason]}. Remove the file, or make it a file of this user with mode 0600.`,
      )
    return (await file.readFile('utf8')).trim()
  } finally {
    await file.close()
  }
}

const reasons = { owner: 'it belongs to another user', writers: 'other users can write to it' } as const
