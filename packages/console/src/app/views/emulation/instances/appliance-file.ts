import type { EmulationClient } from '../../../hooks/use-emulation.ts'

type Content = Parameters<EmulationClient['importApplianceEmu1']>[0]['body']

/** An appliance file that a user has chosen. */
export interface ApplianceFile {
  readonly name: string
  /** The names of its versions. */
  readonly versions: readonly string[]
  /** The file as it is, which the server checks. */
  readonly content: Content
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Only the server knows whether the rest is right.
const isContent = (value: unknown): value is Content & Readonly<Record<string, unknown>> =>
  isObject(value) && typeof value.name === 'string'

/** Reads a file. `undefined` where it is not JSON with a name. */
export async function readAppliance(file: File): Promise<ApplianceFile | undefined> {
  const content = parsed(await file.text())
  if (!isContent(content)) return undefined
  const versions = Array.isArray(content.versions) ? content.versions : []
  const names = versions.flatMap((version: unknown) =>
    isObject(version) && typeof version.name === 'string' ? [version.name] : [],
  )
  return { name: content.name.replaceAll('/', '-'), versions: [...new Set(names)], content }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
