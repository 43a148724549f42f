import type { OpenApiDocument } from '@trivium/http-contract/openapi'
import fc from 'fast-check'
import type { FuzzRequest } from '../fuzz-request.ts'
import type { OpenTarget } from '../fuzz-target.ts'
import { type MutableParts, mutation } from './mutations.ts'
import { type OperationModel, operationsOf } from './operation-model.ts'
import { assemble } from './request-parts.ts'
import { schemaValues } from './schema-values.ts'
import { operationName, wellFormed } from './well-formed.ts'

const COMMON = 100

/** Makes requests to all operations of a service: a third valid by its document, the others with up to three changes. */
export function fuzzRequests(
  document: OpenApiDocument,
  { values, authorizations, costly }: Pick<OpenTarget, 'values' | 'authorizations' | 'costly'>,
): fc.Arbitrary<FuzzRequest> {
  const schemas = schemaValues({ document, values })
  const weightOf = ({ id, isSocket }: OperationModel) => {
    if (costly.includes(operationName(id))) return 1
    return isSocket ? COMMON * 4 : COMMON
  }
  const operations = operationsOf(document).map((operation) => ({
    arbitrary: wellFormed(operation, { schemas, authorizations }),
    weight: weightOf(operation),
  }))
  const changes = fc.oneof(fc.constant([]), {
    arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }),
    weight: 2,
  })
  return fc
    .tuple(fc.oneof(...operations), changes)
    .map(([parts, mutations]) => assemble(mutations.reduce<MutableParts>((changed, mutate) => mutate(changed), parts)))
}
