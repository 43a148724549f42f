import { emulationContract } from '@trivium/emulation-core/http'
import { gatewayContract } from '@trivium/gateway-core/http'
import type { Contract } from '@trivium/http-contract'
import { storageContract } from '@trivium/storage-core/http'
import * as v from 'valibot'
import { pagesContract } from '../../src/pages/pages-contract.ts'

/** Who may call a route. */
export type Access = 'open' | 'key' | 'admin'

/** The service whose error shape a refusal has. */
export type ErrorShape = 'gateway' | 'messages' | 'emulation' | 'storage' | 'pages'

export interface MountedRoute {
  readonly method: string
  readonly template: string
  readonly access: Access
  readonly errorShape: ErrorShape
}

const open = new Set([
  'GET /health',
  'GET /docs',
  'GET /openapi.json',
  'GET /v1/auth/validate',
  'GET /v1/images/files/{image_id}',
  // Answers what is not an upgrade. Sockets have tests of their own.
  'GET /v1/realtime',
  // Only where the page of own quotas finds the storage service, for users who have no password.
  'GET /console/api/quotas',
])

const forKeys = new Set([
  'POST /v1/chat/completions',
  'POST /v1/completions',
  'POST /v1/embeddings',
  'POST /v1/rerank',
  'POST /v2/rerank',
  'POST /v1/moderations',
  'POST /v1/audio/speech',
  'POST /v1/responses',
  'POST /v1/responses/input_tokens',
  'POST /v1/responses/compact',
  'POST /v1/messages',
  'POST /v1/messages/count_tokens',
  'GET /v1/responses/{response_id}',
  'DELETE /v1/responses/{response_id}',
  'POST /v1/responses/{response_id}/cancel',
  'GET /v1/responses/{response_id}/input_items',
  'POST /v1/conversations',
  'GET /v1/conversations/{conversation_id}',
  'POST /v1/conversations/{conversation_id}',
  'DELETE /v1/conversations/{conversation_id}',
  'POST /v1/conversations/{conversation_id}/items',
  'GET /v1/conversations/{conversation_id}/items',
  'GET /v1/conversations/{conversation_id}/items/{item_id}',
  'DELETE /v1/conversations/{conversation_id}/items/{item_id}',
  'POST /v1/audio/transcriptions',
  'POST /v1/audio/translations',
  'POST /v1/images/generations',
  'POST /v1/images/edits',
  'POST /v1/images/variations',
  'GET /v1/models',
  'GET /v1/models/{model}',
  'GET /v1/TTI/models',
  'GET /v1/auth/me',
  'POST /v1/realtime/client_secrets',
  'GET /v1/usage',
  'GET /search',
])

/** A route that is not listed above is for the admin, so that a new route is closed. */
function accessTo(method: string, template: string): Access {
  const name = `${method} ${template}`
  if (open.has(name)) return 'open'
  // The files of the console are open. Its other requests to the server are for the admin.
  if (method === 'GET' && /^\/console(\/(?!api\/)|$)/.test(template)) return 'open'
  return forKeys.has(name) ? 'key' : 'admin'
}

const routesOf = (contract: Contract, errorShape: ErrorShape): readonly MountedRoute[] =>
  Object.values(contract).map(({ method, path }) => {
    const template = path.replaceAll('+}', '}')
    const shape = template.startsWith('/v1/messages') ? 'messages' : errorShape
    return { method, template, access: accessTo(method, template), errorShape: shape }
  })

/** The routes of every operation of every contract. */
export const declaredRoutes: readonly MountedRoute[] = [
  ...routesOf(gatewayContract, 'gateway'),
  ...routesOf(emulationContract, 'emulation'),
  ...routesOf(storageContract, 'storage'),
  ...routesOf(pagesContract, 'pages'),
]

const document = v.object({ paths: v.record(v.string(), v.record(v.string(), v.unknown())) })

/** Returns every route in the OpenAPI document of a server, with the aliases of declared routes. */
export async function mountedRoutes(origin: string): Promise<readonly MountedRoute[]> {
  const declared = new Map(declaredRoutes.map((route) => [`${route.method} ${route.template}`, route]))
  const { paths } = v.parse(document, await (await fetch(`${origin}/openapi.json`)).json())
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.keys(item).map((name) => {
      const method = name.toUpperCase()
      return (
        declared.get(`${method} ${template}`) ?? {
          ...errorShapeOf(template),
          method,
          template,
          access: accessTo(method, template),
        }
      )
    }),
  )
}

const errorShapeOf = (template: string): Pick<MountedRoute, 'errorShape'> => {
  if (template.startsWith('/api/')) return { errorShape: 'storage' }
  return { errorShape: template.startsWith('/console') ? 'pages' : 'emulation' }
}

const message = v.pipe(v.string(), v.nonEmpty())

/** The exact shape of the body of a refusal. */
export const refusals: Readonly<Record<ErrorShape, v.GenericSchema>> = {
  gateway: v.strictObject({
    error: v.strictObject({
      message,
      type: v.literal('invalid_request_error'),
      param: v.null(),
      code: message,
    }),
  }),
  messages: v.strictObject({
    type: v.literal('error'),
    error: v.strictObject({ type: v.picklist(['authentication_error', 'rate_limit_error']), message }),
    request_id: message,
  }),
  emulation: v.strictObject({ message, status: v.picklist([401, 429]) }),
  storage: v.strictObject({ error: v.strictObject({ message, code: v.literal('6691623') }) }),
  pages: v.strictObject({ error: v.strictObject({ message }) }),
}
