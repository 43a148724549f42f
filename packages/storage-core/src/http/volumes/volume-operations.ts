import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { quotaStates, volumeStates } from '../../volumes/volume.ts'
import {
  changeManyParameters,
  changeParameters,
  listParameters,
  showParameters,
} from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { changedMany, flag, gracePeriod, jobAnswer, links, listOf, reference } from '../wire-schemas.ts'

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
]
const tags = ['volumes']
const PATH = '/api/storage/volumes'
const instance = `${PATH}/{uuid}` as const
const params = v.object({ uuid: v.string() })
const quotaPatch = v.strictObject({ enabled: v.optional(flag), grace_period: v.optional(gracePeriod) })
const volumePatch = v.strictObject({ quota: quotaPatch })

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
