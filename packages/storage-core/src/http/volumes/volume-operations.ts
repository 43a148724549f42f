import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { quotaStates, volumeStates } from '../../volumes/volume.ts'
import {
  changeManyParameters,
  changeParameters,
  listParameters,
  showParameters,
} from '../collections/list-parameters.ts'
import { codes } from '../errors/error-codes.ts'
import { failureResponses } from '../errors/failure.ts'
import { checkWithCode } from '../errors/input-failure.ts'
import {
  changedMany,
  createdAnswer,
  flag,
  gracePeriod,
  jobAnswer,
  links,
  listOf,
  named,
  reference,
} from '../wire-schemas.ts'

const volume = v.pipe(
  v.partial(
    v.object({
      uuid: v.string(),
      name: v.string(),
      state: v.pipe(
        v.picklist(volumeStates),
        v.description('`offline` when the file system was unavailable at the last check.'),
      ),
      style: v.string(),
      type: v.string(),
      is_svm_root: v.boolean(),
      is_constituent: v.boolean(),
      svm: reference,
      node: reference,
      quota: v.object({
        state: v.pipe(
          v.picklist(quotaStates),
          v.description('`mixed`: the file system has lost some limits. `corrupt`: it enforces none of them.'),
        ),
        grace_period: v.optional(
          v.pipe(
            v.string(),
            v.description('Of rules without one, as an ISO 8601 duration. Absent where their soft limits only notify.'),
          ),
        ),
      }),
      clone: v.pipe(
        v.partial(v.object({ is_flexclone: v.boolean(), parent_volume: reference, parent_svm: reference })),
        v.description('Whether it is a clone, and of which volume.'),
      ),
      size: v.number(),
      space: v.pipe(
        v.partial(v.object({ size: v.number(), used: v.number(), available: v.number() })),
        v.description('In bytes. Absent when this process does not reach the file system.'),
      ),
      _links: links,
    }),
  ),
  v.title('Volume'),
)

const filters = [
  'uuid',
  'name',
  'svm.uuid',
  'svm.name',
  'node.uuid',
  'node.name',
  'state',
  'quota.state',
  'quota.grace_period',
  'clone.parent_volume.uuid',
  'clone.parent_volume.name',
]
const tags = ['volumes']
const PATH = '/api/storage/volumes'
const instance = `${PATH}/{uuid}` as const
const params = v.object({ uuid: v.string() })
const quotaPatch = v.strictObject({ enabled: v.optional(flag), grace_period: v.optional(gracePeriod) })
const isNotSplit = checkWithCode(codes.volumeNotSplit, (isSplit: boolean): boolean => !isSplit)
/** NetApp's Ansible collection requests the split of a clone after it was created. */
const splitInitiated = v.optional(
  v.pipe(flag, v.check(isNotSplit, 'A clone of a volume cannot be split.'), v.description('Only false is supported.')),
)
const volumePatch = v.strictObject({
  clone: v.optional(v.strictObject({ split_initiated: splitInitiated })),
  quota: quotaPatch,
})

export const volumeOperations = defineContract({
  listVolumes: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists volumes',
    query: listParameters(filters),
    responses: { 200: listOf(volume), ...failureResponses },
  },
  updateVolumes: {
    method: 'PATCH',
    path: PATH,
    tags,
    summary: 'Switches quotas on or off, or sets their grace period, on every volume that matches a query',
    query: changeManyParameters(filters),
    body: volumePatch,
    responses: { 200: changedMany, 202: changedMany, ...failureResponses },
  },
  createVolume: {
    method: 'POST',
    path: PATH,
    tags,
    summary: 'Clones a volume with its qtrees. Other volumes are created by the host',
    query: changeParameters,
    body: v.strictObject({
      name: v.string(),
      svm: v.optional(named),
      type: v.optional(v.literal('rw')),
      clone: v.strictObject({
        is_flexclone: v.pipe(
          flag,
          v.check((isClone) => isClone, 'true is expected, because only clones are created.'),
        ),
        parent_volume: named,
        parent_svm: v.optional(v.pipe(named, v.description('That of the clone. Another one is refused.'))),
        split_initiated: splitInitiated,
      }),
    }),
    responses: { 201: createdAnswer(volume), 202: createdAnswer(volume), ...failureResponses },
  },
  deleteVolume: {
    method: 'DELETE',
    path: instance,
    tags,
    summary: 'Deletes a clone with its files and its rules',
    params,
    query: changeParameters,
    responses: { 200: jobAnswer, 202: jobAnswer, ...failureResponses },
  },
  getVolume: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Reads a volume',
    params,
    query: showParameters,
    responses: { 200: volume, ...failureResponses },
  },
  updateVolume: {
    method: 'PATCH',
    path: instance,
    tags,
    summary: 'Switches quotas on, which scans the volume, or off, or sets their grace period',
    params,
    query: changeParameters,
    body: volumePatch,
    responses: { 200: jobAnswer, 202: jobAnswer, ...failureResponses },
  },
})

export type VolumePatch = v.InferOutput<typeof volumePatch>
