import type { InstanceId, Kind, ProjectId } from '../../index.ts'

/**
 * Returns the id of an instance that a client names by a number, as topologies from before 1.3 do. It is the same for
 * the same number, kind and project, so that such a topology finds its files each time that it is opened. Clients name
 * every switch 1, and switches have no files: each is a new one.
 */
export async function legacyInstanceId(
  projectId: ProjectId,
  kind: Kind,
  number: number,
): Promise<InstanceId | undefined> {
  if (kind === 'ethernet-switch') return undefined
  const name = new TextEncoder().encode(`trivium legacy id/${projectId}/${kind}/${number}`)
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', name)).subarray(0, 16)
  // Version 8 and the variant of RFC 9562.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  // Only a new id gets a tag.
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as InstanceId
}
