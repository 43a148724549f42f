import type { InstanceRecord } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import type { DiskImageUser } from './disk-image-user.ts'

/**
 * Finds the instances whose settings name an image, by its name. Running or not: the disk of an instance is an overlay of
 * the image, and is lost without it.
 *
 * @param nameOf finds the image that a path leads to
 */
export function imageUsers(
  instances: readonly InstanceRecord[],
  nameOf: (path: string) => string | undefined,
): ReadonlyMap<string, readonly DiskImageUser[]> {
  const users = new Map<string, DiskImageUser[]>()
  for (const instance of instances) {
    const { id, kind, name, projectId } = instance
    const names = new Set(imagePathsOf(instance).flatMap((path) => nameOf(path) ?? []))
    for (const image of names) {
      const known = users.get(image)
      const user = { id, kind, name, projectId }
      if (known) known.push(user)
      else users.set(image, [user])
    }
  }
  return users
}

const imagePathsOf = <K extends Kind>({ kind, settings }: InstanceRecord<K>): readonly string[] =>
  kinds[kind].imagePaths?.(settings) ?? []
