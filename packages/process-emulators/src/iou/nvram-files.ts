import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

const nvramName = (applicationId: number) => `nvram_${String(applicationId).padStart(5, '0')}`

/** Renames the saved configuration of a router whose application id has changed. */
export async function adoptNvram(directory: string, applicationId: number): Promise<void> {
  const wanted = nvramName(applicationId)
  const names = (await readdir(directory)).filter((name) => /^nvram_\d{5}$/.test(name))
  const [old] = names
  if (old !== undefined && !names.includes(wanted)) await rename(join(directory, old), join(directory, wanted))
}
