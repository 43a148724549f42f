import { type GenericSchema, safeParse } from 'valibot'
import type { Contract, Operation } from '../operation.ts'
import { noBody, type ResponseBody } from '../response-body.ts'
import type { Route } from '../route.ts'
import type { SocketContract, SocketOperation, SocketRoute } from '../socket.ts'
import { describeParameters, toOpenApiPath } from './describe-parameters.ts'
import { describeResponses } from './describe-responses.ts'
import type {
  OpenApiDocument,
  OpenApiInfo,
  OpenApiOperation,
  OpenApiServer,
  SecurityRequirement,
} from './open-api-document.ts'
import { createSchemaRegistry, type SchemaRegistry } from './schema-registry.ts'

/** What one mount offers. */
export interface OpenApiPart {
  readonly operations?: Contract | readonly Route[]
  /** Shown as GET with 101. */
  readonly sockets?: SocketContract | readonly SocketRoute[]
  /** Goes before every path: `/netapp`. @default none */
  readonly prefix?: string
  /** Who may call the operations; an operation that is open to all can be told apart by the function. */
  readonly security?: readonly SecurityRequirement[] | ((id: string) => readonly SecurityRequirement[] | undefined)
  /** What every operation may answer beside its own responses, such as what `Failures` words. */
  readonly responses?: Readonly<Record<number, ResponseBody>>
}

/** What a document says beside its operations. */
export interface OpenApiOptions {
  readonly info: OpenApiInfo
  /** Where the API is served. @default none are named */
  readonly servers?: readonly OpenApiServer[]
  /** By the names that operations refer to. @default none */
  readonly securitySchemes?: Readonly<Record<string, object>>
}

/**
 * Describes contracts as an OpenAPI 3.1 document, from the same literals that check the requests. Schemas show what goes
 * in, before any transformation; one with a `title` is described once under `components`. An `operationId` that
 * several parts use gets a number.
 */
export function toOpenApi(
  parts: readonly OpenApiPart[],
  { info, servers, securitySchemes }: OpenApiOptions,
): OpenApiDocument {
  const registry = createSchemaRegistry()
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  const uniqueId = idGiver()
  for (const part of parts) {
    for (const { id, method, operation } of operationsOf(part)) {
      const path = toOpenApiPath(`${part.prefix ?? ''}${operation.path}`)
      const item = paths[path] ?? {}
      paths[path] = item
      item[method] = describeOperation(id, operation, part, registry, uniqueId(id))
    }
  }
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags = [] }) => tags)))
  const schemas = registry.described()
  const components = {
    ...(Object.keys(schemas).length > 0 && { schemas }),
    ...(securitySchemes && { securitySchemes }),
  }
  return {
    openapi: '3.1.0',
    info,
    ...(servers && { servers }),
    ...(tags.size > 0 && { tags: [...tags].map((name) => ({ name })) }),
    paths,
    ...(Object.keys(components).length > 0 && { components }),
  }
}

interface Described extends Omit<Operation, 'method'> {}

interface Entry {
  readonly id: string
  readonly method: string
  readonly operation: Described
}

function operationsOf({ operations = {}, sockets = {} }: OpenApiPart): readonly Entry[] {
  return [
    ...entriesOf<Operation>(operations).map(([id, operation]) => ({
      id,
      method: operation.method.toLowerCase(),
      operation,
    })),
    ...entriesOf<SocketOperation>(sockets).map(([id, socket]) => ({
      id,
      method: 'get',
      operation: { ...socket, responses: { 101: noBody } },
    })),
  ]
}

type Listed<One> = Readonly<Record<string, One>> | readonly { readonly id: string; readonly operation: One }[]

const isList = <One>(listed: Listed<One>): listed is readonly { readonly id: string; readonly operation: One }[] =>
  Array.isArray(listed)

const entriesOf = <One>(listed: Listed<One>): readonly (readonly [string, One])[] =>
  isList(listed) ? listed.map(({ id, operation }) => [id, operation] as const) : Object.entries(listed)

function describeOperation(
  id: string,
  operation: Described,
  { security, responses = {} }: OpenApiPart,
  registry: SchemaRegistry,
  operationId: string,
): OpenApiOperation {
  const { summary, description, tags, body } = operation
  const required = typeof security === 'function' ? security(id) : security
  const parameters = describeParameters(operation, registry)
  return {
    operationId,
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    ...(tags && { tags }),
    ...(required && { security: required }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: isRequired(body), content: { 'application/json': { schema: registry.convert(body) } } },
    }),
    responses: describeResponses({ ...responses, ...operation.responses }, registry),
  }
}

const isRequired = (body: GenericSchema): boolean => !safeParse(body, undefined).success

function idGiver(): (id: string) => string {
  const given = new Set<string>()
  return (id) => {
    let unique = id
    for (let count = 2; given.has(unique); count += 1) unique = `${id}${count}`
    given.add(unique)
    return unique
  }
}
