import type { Instance, InstanceRecord } from '../instances/instance.ts'

/** An instance that needs an image. */
export type DiskImageUser = Pick<Instance, 'id' | 'kind' | 'name' | 'projectId'>

/** Settings with texts of other meanings, which could be equal to the name of an image. */
const notPaths: ReadonlySet<string> = new Set(['program', 'adapterType', 'priority', 'options', 'kernelCommandLine'])

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
  for (const { id, kind, name, projectId, settings } of instances) {
    // Other kinds start from no image.
    if (kind !== 'machine' && kind !== 'router') continue
    const paths = Object.entries(settings).flatMap(([setting, value]) => (notPaths.has(setting) ? [] : textsIn(value)))
    const names = new Set(paths.flatMap((path) => nameOf(path) ?? []))
    for (const image of names) {
      const known = users.get(image)
      const user = { id, kind, name, projectId }
      if (known) known.push(user)
      else users.set(image, [user])
    }
  }
  return users
}

/** The texts of settings, also those in lists and objects. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
