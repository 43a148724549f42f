import { readFile, stat } from 'node:fs/promises'
import { Refusal } from '@trivium/emulation-core/ports'

const LARGEST_FILE = 64 * 1024

/**
 * Checks that an iourc file has a key for this host: a section `[license]` with `<host name> = <16 hex digits>;`.
 * The image itself checks the key.
 *
 * @returns the path
 */
export async function licenceFile(path: string, hostName: string): Promise<string> {
  const text = await stat(path)
    .then((status) => (status.isFile() && status.size <= LARGEST_FILE ? readFile(path, 'utf8') : undefined))
    .catch(() => undefined)
  if (text === undefined) throw unusable(`${path} is not a readable file`)
  const key = licenceKeys(text).get(hostName)
  if (key === undefined) throw unusable(`${path} has no key for the host '${hostName}'`)
  if (!/^[0-9a-f]{16};$/i.test(key)) throw unusable(`${path} has a key that is not 16 digits and a semicolon`)
  return path
}

/** The keys of the section `[license]` by host name. */
export function licenceKeys(text: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  let inside = false
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[(.*)\]\s*$/.exec(line)?.[1]
    if (section !== undefined) inside = section.trim() === 'license'
    const [, name, key] = /^\s*([^\s=#;][^=]*?)\s*=\s*(\S+)\s*$/.exec(line) ?? []
    if (inside && name !== undefined && key !== undefined) keys.set(name, key)
  }
  return keys
}

const unusable = (reason: string) => new Refusal('failed', `A valid iourc file is necessary to start IOU: ${reason}`)
