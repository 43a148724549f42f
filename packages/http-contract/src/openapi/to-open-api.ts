import { type GenericSchema, safeParse } from 'valibot'
import type { Contract, Operation } from '../operation.ts'
import { noBody, type ResponseBody } from '../response-body.ts'
import type { Route } from '../route.ts'
import type { SocketContract, SocketOperation, SocketRoute } from '../socket.ts'
import { nextTurn } from '../turns.ts'
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

/** The operations and sockets of one mount. */
export interface OpenApiPart {
  /** A contract, or the routes of one, which may be a part of it. @default none */
  readonly operations?: Contract | readonly Route[]
  /** Described as GET with status 101. @default none */
  readonly sockets?: SocketContract | readonly SocketRoute[]
  /** The prefix of every path, such as `/netapp`. @default none */
  readonly prefix?: string
  /**
   * Security requirements of all operations, or a function that returns those of an operation by its id.
   *
   * @default none
   */
  readonly security?: readonly SecurityRequirement[] | ((id: string) => readonly SecurityRequirement[] | undefined)
  /**
   * Responses of every operation in addition to its own, such as those of `Failures`. Of two with the same status the
   * operation's own is described.
   *
   * @default none
   */
  readonly responses?: Readonly<Record<number, ResponseBody>>
}

/** The parts of a document other than its operations. */
export interface OpenApiOptions {
  /** What the document describes. */
  readonly info: OpenApiInfo
  /** Where the API is served. @default none */
  readonly servers?: readonly OpenApiServer[]
  /** Security schemes by the names that operations refer to. @default none */
  readonly securitySchemes?: Readonly<Record<string, object>>
}

/**
 * Describes contracts as an OpenAPI 3.1 document, from the same literals that check the requests. Schemas describe the
 * input, before any transformation. A schema with a `title` is described once under `components`. An `operationId` that
 * several parts use gets a number. Needs the `@valibot/to-json-schema` package.
 *
 * @throws TypeError if the template of a path is not valid
 *
 * @example
 * ```ts
 * import { defineContract } from '@trivium/http-contract'
 * import { toOpenApi } from '@trivium/http-contract/openapi'
 * import * as v from 'valibot'
 *
 * const contract = defineContract({
 *   getTime: { method: 'GET', path: '/time', responses: { 200: v.object({ now: v.string() }) } },
 * })
 * const document = toOpenApi([{ operations: contract }], { info: { title: 'Clock', version: '1.0.0' } })
 * console.log(JSON.stringify(document, null, 2))
 * ```
 */
export function toOpenApi(parts: readonly OpenApiPart[], options: OpenApiOptions): OpenApiDocument {
  const steps = describe(parts, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** How long the operations of one turn are described. */
const TURN_MS = 10

/**
 * Describes contracts as {@link toOpenApi} does, for a server that answers other requests meanwhile: about 10 milliseconds
 * of work in each turn of the event loop. Rejects as it throws.
 */
export async function toOpenApiInTurns(
  parts: readonly OpenApiPart[],
  options: OpenApiOptions,
): Promise<OpenApiDocument> {
  const steps = describe(parts, options)
  for (;;) {
    const endsAt = performance.now() + TURN_MS
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < endsAt)
    await nextTurn()
  }
}

/** Each step describes one operation. */
function* describe(
  parts: readonly OpenApiPart[],
  { info, servers, securitySchemes }: OpenApiOptions,
): Generator<void, OpenApiDocument> {
  const registry = createSchemaRegistry()
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  const uniqueId = uniqueIds()
  for (const part of parts) {
    for (const { id, method, operation } of operationsOf(part)) {
      const path = toOpenApiPath(`${part.prefix ?? ''}${operation.path}`)
      const item = paths[path] ?? {}
      paths[path] = item
      item[method] = describeOperation(id, operation, part, registry, uniqueId(id))
      yield
    }
  }
  const tags = new Set(Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags = [] }) => tags)))
  const schemas = registry.namedSchemas()
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
  const { summary, description, tags, responseHeaders } = operation
  const { upload, uploadType = 'multipart/form-data', uploadJson, body = upload } = operation
  const json = upload ? uploadJson : body
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
      requestBody: {
        required: isRequired(body),
        content: {
          ...(upload && { [uploadType]: { schema: registry.convert(upload) } }),
          ...(json && { 'application/json': { schema: registry.convert(json) } }),
        },
      },
    }),
    responses: describeResponses({ ...responses, ...operation.responses }, registry, responseHeaders),
  }
}

const isRequired = (body: GenericSchema): boolean => !safeParse(body, undefined).success

function uniqueIds(): (id: string) => string {
  const given = new Set<string>()
  return (id) => {
    let unique = id
    for (let count = 2; given.has(unique); count += 1) unique = `${id}${count}`
    given.add(unique)
    return unique
  }
}
