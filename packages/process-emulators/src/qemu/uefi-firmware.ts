import { constants } from 'node:fs'
import { access, chmod, copyFile, lstat, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '@trivium/emulation-core/ports'
import type { UefiFiles } from './drives.ts'
import { architectureOf } from './machine-program.ts'

/** Firmware and empty variables, as Debian, Fedora and Arch Linux install them. */
const places = [
  ['/usr/share/OVMF/OVMF_CODE_4M.fd', '/usr/share/OVMF/OVMF_VARS_4M.fd'],
  ['/usr/share/OVMF/OVMF_CODE.fd', '/usr/share/OVMF/OVMF_VARS.fd'],
  ['/usr/share/edk2/ovmf/OVMF_CODE.fd', '/usr/share/edk2/ovmf/OVMF_VARS.fd'],
  ['/usr/share/edk2/x64/OVMF_CODE.4m.fd', '/usr/share/edk2/x64/OVMF_VARS.4m.fd'],
] as const

/** The variables of one machine, in the directory of the instance. */
const VARIABLES_FILE = 'uefi-variables.fd'

/**
 * Finds the firmware, and creates the variables of a machine at its first start. They are kept between starts. Rejects
 * with a `missing-program` refusal where no firmware is installed, and with `not-allowed` for another architecture than
 * x86-64.
 */
export async function prepareUefi(program: string, directory: string): Promise<UefiFiles> {
  const architecture = architectureOf(program) ?? 'x86_64'
  if (architecture !== 'x86_64') {
    throw new Refusal('not-allowed', `UEFI is supported for x86_64 machines, not for those of ${architecture}.`)
  }
  for (const [code, empty] of places) {
    if (!((await isReadable(code)) && (await isReadable(empty)))) continue
    const variables = join(directory, VARIABLES_FILE)
    if (!(await exists(variables))) await copyWhole(empty, variables)
    return { code, variables }
  }
  throw new Refusal('missing-program', 'The UEFI firmware OVMF is not installed.', { debianPackage: 'ovmf' })
}

const isReadable = (path: string) =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  )

/** Copies under another name first, so that an incomplete file is never used. */
async function copyWhole(from: string, to: string): Promise<void> {
  const unfinished = `${to}.new`
  await copyFile(from, unfinished)
  await chmod(unfinished, 0o600)
  await rename(unfinished, to)
}

async function exists(path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined)
  if (entry === undefined || entry.isFile()) return entry !== undefined
  throw new Refusal('not-allowed', `The variables of UEFI '${path}' are not a regular file.`)
}
