import type { Tagged } from 'type-fest'

/** A UUID unless the host supplies its own ids. Created when the name is first registered. */
export type SvmId = Tagged<string, 'SvmId'>

/** A storage virtual machine: the owner of volumes. */
export interface Svm {
  readonly uuid: SvmId
  /** Unique in the store. */
  readonly name: string
}
