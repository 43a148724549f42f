import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { listParameters, showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links, listOf, reference } from '../wire-schemas.ts'

const splitStatus = v.pipe(
  v.partial(
    v.object({
      volume: reference,
      svm: reference,
      pending_splits: v.pipe(v.number(), v.description('The number of clones whose split is unfinished.')),
      unsplit_size: v.pipe(v.number(), v.description('The size of the unfinished splits, in bytes.')),
      _links: links,
    }),
  ),
  v.title('SplitStatus'),
)

const tags = ['clone splits']
const PATH = '/api/storage/file/clone/split-status'
const fields = ['volume.uuid', 'volume.name', 'svm.uuid', 'svm.name', 'pending_splits', 'unsplit_size']

export const splitStatusOperations = defineContract({
  listSplitStatus: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists the unfinished splits of each volume',
    query: listParameters(fields),
    responses: { 200: listOf(splitStatus), ...failureResponses },
  },
  getSplitStatus: {
    method: 'GET',
    path: `${PATH}/{volume_uuid}`,
    tags,
    summary: 'Reads the unfinished splits of a volume',
    params: v.object({ volume_uuid: v.string() }),
    query: showParameters,
    responses: { 200: splitStatus, ...failureResponses },
  },
})
