import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { splitStates } from '../../splits/split.ts'
import { changeParameters, listParameters, showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { createdAnswer, links, listOf, named, reference } from '../wire-schemas.ts'

const split = v.pipe(
  v.partial(
    v.object({
      uuid: v.string(),
      svm: reference,
      volume: reference,
      node: reference,
      path: v.pipe(v.string(), v.description('Relative to the volume.')),
      size: v.pipe(v.number(), v.description('The charged size, in bytes.')),
      state: v.pipe(v.picklist(splitStates), v.description('A paused split stays so until it is resumed.')),
      order: v.pipe(
        v.number(),
        v.description('The place among the waiting splits of the volume, counted from 1. Absent in other states.'),
      ),
      bytes: v.partial(
        v.object({
          total: v.number(),
          done: v.number(),
          left: v.pipe(v.number(), v.description('What still counts to the split load of the node.')),
        }),
      ),
      time_left: v.pipe(
        v.string(),
        v.description(
          'What the rest takes at the measured speed, as an ISO 8601 duration. Absent before the first slice.',
        ),
      ),
      reason: v.pipe(v.string(), v.description('Why it waits. Absent when it only waits for its turn.')),
      start_time: v.pipe(v.string(), v.description('The time at which the split was asked for.')),
      _links: links,
    }),
  ),
  v.title('Split'),
)

const tags = ['clone splits']
const PATH = '/api/storage/file/clone/splits'
const instance = `${PATH}/{uuid}` as const
const params = v.object({ uuid: v.string() })
const filters = [
  ...['uuid', 'svm.uuid', 'svm.name', 'volume.uuid', 'volume.name', 'node.uuid', 'node.name', 'path', 'size', 'state'],
  ...['bytes.total', 'bytes.left', 'reason', 'start_time'],
]
const nothing = v.object({})

export const splitOperations = defineContract({
  listSplits: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists the unfinished splits of files',
    query: listParameters(filters),
    responses: { 200: listOf(split), ...failureResponses },
  },
  createSplit: {
    method: 'POST',
    path: PATH,
    tags,
    summary: 'Splits a file from those that it shares blocks with',
    description: 'Without shared blocks nothing is charged, and the answer is a 200 without a record.',
    query: changeParameters,
    body: v.strictObject({
      volume: v.optional(named),
      svm: v.optional(named),
      path: v.pipe(v.string(), v.description('Relative to the volume.')),
      token_uuid: v.optional(v.pipe(v.string(), v.description('The UUID of the clone token that is charged.'))),
    }),
    responses: { 200: createdAnswer(split), 201: createdAnswer(split), ...failureResponses },
  },
  getSplit: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Reads the unfinished split of a file',
    params,
    query: showParameters,
    responses: { 200: split, ...failureResponses },
  },
  updateSplit: {
    method: 'PATCH',
    path: instance,
    tags,
    summary: 'Pauses, resumes or moves a split',
    params,
    query: changeParameters,
    body: v.strictObject({
      state: v.optional(v.pipe(v.picklist(['waiting', 'paused']), v.description('`waiting` resumes a paused split.'))),
      order: v.optional(
        v.pipe(
          v.number(),
          v.safeInteger('an integer is expected.'),
          v.minValue(1, 'at least 1 is expected.'),
          v.description('The new place among the waiting splits of the volume. 1 is the first.'),
        ),
      ),
    }),
    responses: { 200: nothing, ...failureResponses },
  },
  deleteSplit: {
    method: 'DELETE',
    path: instance,
    tags,
    summary: 'Cancels a split, which frees the load of what is not split yet',
    params,
    query: changeParameters,
    responses: { 200: nothing, ...failureResponses },
  },
})
