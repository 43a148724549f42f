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
import { changedMany, flag, jobAnswer, links, listOf, reference } from '../wire-schemas.ts'

const volume = v.pipe(
  v.partial(
    v.object({
      uuid: v.string(),
      name: v.string(),
      state: v.pipe(
        v.picklist(volumeStates),
        v.description('`offline` while the file system is not there, as of the last look at it'),
      ),
      style: v.string(),
      type: v.string(),
      is_svm_root: v.boolean(),
      svm: reference,
      node: reference,
      quota: v.object({
        state: v.pipe(
          v.picklist(quotaStates),
          v.description('`mixed` and `corrupt`: the file system enforces some, or none, of the limits that it should'),
        ),
      }),
      size: v.number(),
      space: v.pipe(
        v.partial(v.object({ size: v.number(), used: v.number(), available: v.number() })),
        v.description('Bytes; absent where another process has the file system, or it cannot be asked'),
      ),
      _links: links,
    }),
  ),
  v.title('Volume'),
)

const filters = ['uuid', 'name', 'svm.uuid', 'svm.name', 'node.uuid', 'node.name', 'state', 'quota.state']
const tags = ['volumes']
const PATH = '/api/storage/volumes'
const instance = `${PATH}/{uuid}` as const
const params = v.object({ uuid: v.string() })
const volumePatch = v.strictObject({ quota: v.strictObject({ enabled: flag }) })

export const volumeOperations = defineContract({
  listVolumes: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'List volumes',
    query: listParameters(filters),
    responses: { 200: listOf(volume), ...failureResponses },
  },
  updateVolumes: {
    method: 'PATCH',
    path: PATH,
    tags,
    summary: 'Switch quotas on or off on every volume that fits a query',
    query: changeManyParameters(filters),
    body: volumePatch,
    responses: { 200: changedMany, 202: changedMany, ...failureResponses },
  },
  getVolume: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Read a volume',
    params,
    query: showParameters,
    responses: { 200: volume, ...failureResponses },
  },
  updateVolume: {
    method: 'PATCH',
    path: instance,
    tags,
    summary: 'Switch quotas on, which scans the volume, or off',
    params,
    query: changeParameters,
    body: volumePatch,
    responses: { 200: jobAnswer, 202: jobAnswer, ...failureResponses },
  },
})
