import type { Instance } from '../instances/instance.ts'

/** An instance that needs an image. */
export type DiskImageUser = Pick<Instance, 'id' | 'kind' | 'name' | 'projectId'>
