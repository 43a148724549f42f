import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '@trivium/http-contract/openapi'

type Schema = OpenApiParameter['schema']

/** One operation of a document, in the form from which requests are made. */
export interface OperationModel {
  readonly id: string
  /** The method, in capitals. */
  readonly method: string
  readonly path: string
  readonly parameters: readonly OpenApiParameter[]
  readonly body: { readonly schema: Schema; readonly required: boolean } | undefined
  readonly isSocket: boolean
}

export function operationsOf({ paths }: OpenApiDocument): readonly OperationModel[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: bodyOf(operation),
      isSocket: '101' in operation.responses,
    })),
  )
}

function bodyOf({ requestBody }: OpenApiOperation): OperationModel['body'] {
  const schema = requestBody?.content['application/json']?.schema
  return schema && { schema, required: requestBody.required }
}
