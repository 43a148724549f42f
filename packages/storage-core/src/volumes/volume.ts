import type { Tagged } from 'type-fest'
import type { NodeReference } from '../nodes/storage-node.ts'
import { defineFields } from '../query/field-catalogue.ts'
import type { Svm } from '../svms/svm.ts'

/** A UUID unless the host makes ids of its own. Made when the volume is first registered. */
export type VolumeId = Tagged<string, 'VolumeId'>

/** A volume where something else names it. */
export interface VolumeReference {
  readonly uuid: VolumeId
  readonly name: string
}

/** A volume as clients see it, whether or not this process reaches its file system. */
export interface Volume extends VolumeReference {
  readonly svm: Svm
  readonly node: NodeReference
  readonly state: VolumeState
  readonly quotaState: QuotaState
}

/** `offline`: the file system was not there when it was last looked at, for instance because it is unmounted. */
export type VolumeState = 'online' | 'offline'

export const volumeStates = ['online', 'offline'] as const satisfies readonly VolumeState[]

/**
 * `initializing`: limits are not enforced until the scan is done. `resizing`: the limits that were enforced stay enforced
 * while they change. `mixed`: the file system has lost some of the limits, which are set again. `corrupt`: it enforces none of
 * them, because its own quotas were switched off or it is not there.
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

/** In which rules are meant to hold, whether or not the file system does its part. */
export const switchedOn = ['on', 'resizing', 'mixed', 'corrupt'] as const satisfies readonly QuotaState[]

export const isSwitchedOn = ({ quotaState }: Pick<Volume, 'quotaState'>): boolean =>
  switchedOn.some((state) => state === quotaState)

/** How each field of a volume is typed and read. */
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
  },
  ['uuid'],
)

/** What queries and orders of volumes can name. */
export type VolumeField = keyof typeof volumeFields.fields
