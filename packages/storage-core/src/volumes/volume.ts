import type { Tagged } from 'type-fest'
import type { NodeReference } from '../nodes/storage-node.ts'
import { defineFields } from '../query/field-catalogue.ts'
import type { Svm } from '../svms/svm.ts'

/** A UUID unless the host supplies its own ids. Created when the volume is first registered. */
export type VolumeId = Tagged<string, 'VolumeId'>

/** A volume as other records refer to it. */
export interface VolumeReference {
  readonly uuid: VolumeId
  /** Unique in its SVM. */
  readonly name: string
}

/** A volume as stored, whether or not this process reaches its file system. */
export interface Volume extends VolumeReference {
  readonly svm: Svm
  readonly node: NodeReference
  readonly state: VolumeState
  readonly quotaState: QuotaState
  /** The grace period of rules without one, in seconds. @default soft limits only notify */
  readonly gracePeriodSeconds?: number
  /** The volume that it is a clone of. @default it is not a clone */
  readonly parent?: VolumeReference
  /** Where its file system was mounted at the last start, of at most 4,096 characters. @default its file system has none */
  readonly mountPoint?: string
}

/** The state of a volume. `offline`: the file system was unavailable at the last check, for example unmounted. */
export type VolumeState = 'online' | 'offline'

export const volumeStates = ['online', 'offline'] as const satisfies readonly VolumeState[]

/**
 * The state of a volume's quotas. `initializing`: limits are not enforced until the end of the scan. `resizing`: a
 * limit changes while the others stay enforced. `mixed`: the file system has lost some limits, which are set again.
 * `corrupt`: it enforces none, because its own quotas were switched off or it is unavailable.
 */
export type QuotaState = 'off' | 'initializing' | 'on' | 'resizing' | 'mixed' | 'corrupt'

export const quotaStates = [
  'off',
  'initializing',
  'on',
  'resizing',
  'mixed',
  'corrupt',
] as const satisfies readonly QuotaState[]

/** The states in which quotas are on, whether or not the file system enforces every limit. */
export const switchedOn = ['on', 'resizing', 'mixed', 'corrupt'] as const satisfies readonly QuotaState[]

export const isSwitchedOn = ({ quotaState }: Pick<Volume, 'quotaState'>): boolean =>
  switchedOn.some((state) => state === quotaState)

/** The types of the fields of a volume, and how they are read. */
export const volumeFields = defineFields<Volume>()(
  {
    uuid: { type: 'uuid', read: ({ uuid }) => uuid },
    name: { type: 'string', read: ({ name }) => name },
    svmUuid: { type: 'uuid', read: ({ svm }) => svm.uuid },
    svmName: { type: 'string', read: ({ svm }) => svm.name },
    nodeUuid: { type: 'uuid', read: ({ node }) => node.uuid },
    nodeName: { type: 'string', read: ({ node }) => node.name },
    state: { type: 'enum', values: volumeStates, read: ({ state }) => state },
    quotaState: { type: 'enum', values: quotaStates, read: ({ quotaState }) => quotaState },
    parentUuid: { type: 'uuid', read: ({ parent }) => parent?.uuid },
    parentName: { type: 'string', read: ({ parent }) => parent?.name },
    gracePeriodSeconds: { type: 'integer', read: ({ gracePeriodSeconds }) => gracePeriodSeconds },
  },
  ['uuid'],
)

/** The fields that queries and orders of volumes can name. */
export type VolumeField = keyof typeof volumeFields.fields
