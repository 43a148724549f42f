import type { Tagged } from 'type-fest'

export type SvmId = Tagged<string, 'SvmId'>

/** A storage virtual machine: the owner of volumes. */
export interface Svm {
  readonly uuid: SvmId
  readonly name: string
}
