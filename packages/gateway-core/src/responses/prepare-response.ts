import { err, ok, type Result } from 'neverthrow'
import type { DialectCall } from '../dialects/answering/front.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { type ContextParts, loadContext, type ResponseContext, resolveReferences } from './response-context.ts'
import { randomId } from './response-items.ts'
import type { ResponseContextError } from './response-state-error.ts'
import type { ResponseId, ResponseOwner } from './stored-response.ts'

/** A request whose whole input is in its body, and what it continues. */
export interface PreparedResponse {
  readonly request: DialectCall
  readonly context: ResponseContext
  /** The input of this turn, with the items that it refers to. */
  readonly input: unknown
  /** The id of the answer to a request whose body differs from the client's own. `undefined`: that of the upstream. */
  readonly id: ResponseId | undefined
}

/** Members that are the gateway's own, and not for upstreams. */
const stateMembers: ReadonlySet<string> = new Set(['previous_response_id', 'conversation', 'background'])

const ENCRYPTED = 'reasoning.encrypted_content'

/**
 * Puts the items that a request continues and refers to into its input. A request that has no such items stays as it
 * came, bytes included. A changed one is not stored by its upstream, which would store the conversation again with each
 * turn; encrypted reasoning replaces what the upstream would have stored.
 */
export async function prepareResponse(
  parts: ContextParts,
  request: DialectCall,
  owner: ResponseOwner,
): Promise<Result<PreparedResponse, ResponseContextError>> {
  const { body } = request
  const loaded = await loadContext(parts, body, owner)
  if (loaded.isErr()) return err(loaded.error)
  const resolved = await resolveReferences(parts, body.input, owner)
  if (resolved.isErr()) return err(resolved.error)
  const context = loaded.value
  const input = resolved.value ?? body.input
  const isContinued = context.previousId !== undefined || context.conversationId !== undefined
  if (!isContinued && resolved.value === undefined && body.background !== true) {
    return ok({ request, context, input, id: undefined })
  }
  const changed: JsonObject = {
    ...Object.fromEntries(Object.entries(body).filter(([name]) => !stateMembers.has(name))),
    input: context.items.length === 0 ? input : [...context.items, ...listOf(input)],
    store: false,
    ...(reasons(body, context) && { include: withEncrypted(body.include) }),
  }
  const id = randomId('resp') as ResponseId // the only place that creates ids of responses whose requests are changed
  return ok({
    request: { ...request, body: changed, raw: undefined, requested: body, answerId: id },
    context,
    input,
    id,
  })
}

function listOf(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : []
}

/** Models without reasoning refuse to encrypt it. */
const reasons = (body: JsonObject, { items }: ResponseContext): boolean =>
  (typeof body.reasoning === 'object' && body.reasoning !== null) || items.some(({ type }) => type === 'reasoning')

const withEncrypted = (include: unknown): readonly unknown[] => [
  ...new Set<unknown>([...(Array.isArray(include) ? include : []), ENCRYPTED]),
]
