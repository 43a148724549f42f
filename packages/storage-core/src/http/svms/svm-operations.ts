import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { listParameters, showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links, listOf, reference } from '../wire-schemas.ts'

const svm = v.pipe(
  v.partial(
    v.object({
      uuid: v.string(),
      name: v.string(),
      state: v.string(),
      subtype: v.string(),
      aggregates: v.pipe(v.array(reference), v.description('Always empty: volumes are not in aggregates.')),
      ipspace: v.object({ name: v.string() }),
      snapshot_policy: v.object({ name: v.string() }),
      _links: links,
    }),
  ),
  v.title('Svm'),
)

const tags = ['svms']
const PATH = '/api/svm/svms'

export const svmOperations = defineContract({
  listSvms: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists storage virtual machines',
    query: listParameters(['uuid', 'name', 'state', 'subtype', 'ipspace.name', 'snapshot_policy.name']),
    responses: { 200: listOf(svm), ...failureResponses },
  },
  getSvm: {
    method: 'GET',
    path: `${PATH}/{uuid}`,
    tags,
    summary: 'Reads a storage virtual machine',
    params: v.object({ uuid: v.string() }),
    query: showParameters,
    responses: { 200: svm, ...failureResponses },
  },
})
