import type { ResponseBody } from '../response-body.ts'
import type { OpenApiContent, OpenApiHeader, OpenApiResponse } from './open-api-document.ts'
import type { SchemaRegistry } from './schema-registry.ts'

const JSON_CONTENT = 'application/json'

export function describeResponses(
  responses: Readonly<Record<number, ResponseBody>>,
  registry: SchemaRegistry,
  headers: Readonly<Record<string, string>> = {},
): Readonly<Record<string, OpenApiResponse>> {
  const described = Object.entries(headers).map(([name, description]): [string, OpenApiHeader] => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return Object.fromEntries(
    Object.entries(responses).map(([status, body]): [string, OpenApiResponse] => {
      const content = contentOf(body, registry)
      const description = descriptions[Number(status)] ?? `Status ${status}`
      const hasHeaders = described.length > 0 && isSuccess(Number(status))
      return [
        status,
        { description, ...(hasHeaders && { headers: Object.fromEntries(described) }), ...(content && { content }) },
      ]
    }),
  )
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

function contentOf(body: ResponseBody, registry: SchemaRegistry): OpenApiContent | undefined {
  switch (body.kind) {
    case 'no-body':
      return undefined
    case 'event-stream':
      return { 'text/event-stream': { schema: registry.convert(body.event) } }
    case 'json-lines':
      return { 'application/x-ndjson': { schema: registry.convert(body.line) } }
    case 'bytes':
      return Object.fromEntries([body.contentType, ...(body.otherTypes ?? [])].map((type) => [type, {}]))
    case 'json-or':
      return { [JSON_CONTENT]: { schema: registry.convert(body.value) }, ...contentOf(body.other, registry) }
    default:
      return { [JSON_CONTENT]: { schema: registry.convert(body) } }
  }
}

const descriptions: Readonly<Record<number, string>> = {
  101: 'The WebSocket is open',
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, without a body',
  400: 'The request is not valid',
  401: 'The caller is not authenticated',
  403: 'The caller is not allowed to do this',
  404: 'The resource does not exist',
  405: 'The path does not support this method',
  408: 'The request took too long, or its client has disconnected',
  409: 'The request conflicts with the present state',
  413: 'The body is too large',
  422: 'The request cannot be processed',
  429: 'Too many requests',
  500: 'A fault of the service',
  501: 'Not supported here',
  502: 'An upstream failed',
  503: 'A required service is unavailable',
  504: 'An upstream did not answer in time',
}
