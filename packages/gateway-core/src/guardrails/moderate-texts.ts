import type { GatewayCall } from '../caller.ts'
import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { objectsOf } from '../dialects/json-values.ts'
import type { EndpointCalls } from '../endpoints/endpoint-calls.ts'
import { jsonBody } from '../endpoints/json-body.ts'
import type { ModerationResult } from './guardrail.ts'
import type { RequestGuardParts } from './request-guard.ts'

/** Texts of one request to a moderation model. */
const MOST_TEXTS = 20
/** A token for each so many characters, where the upstream reports no usage. */
const CHARACTERS_PER_TOKEN = 4

const decoder = new TextDecoder()

/** Has a moderation model judge texts, as the gateway itself: without limits, and with usage records that have no key. */
export function moderateTexts(endpoints: () => EndpointCalls): RequestGuardParts['moderate'] {
  return async ({ requestId }, signal, model, texts) => {
    const results: ModerationResult[] = []
    // Not the id of the request, which another listener may wait for.
    const call: GatewayCall = { requestId: `${requestId}-guardrail`, caller: { type: 'admin' }, signal, isOwn: true }
    for (let at = 0; at < texts.length; at += MOST_TEXTS) {
      const input = texts.slice(at, at + MOST_TEXTS)
      const sent = await endpoints().send(call, {
        endpoint: 'moderations',
        model,
        body: jsonBody({ value: { model, input }, raw: undefined }),
        estimateInput: () => Math.ceil(input.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN),
      })
      if (sent.isErr()) throw new Error(`The moderation model '${model}' has not answered: ${sent.error.type}.`)
      const reply = sent.value
      const answer = reply.kind === 'whole' ? parseJson(decoder.decode(reply.bytes)) : undefined
      const found = objectsOf(isObject(answer) ? answer.results : undefined)
      if (found.length !== input.length) throw new Error(`The moderation model '${model}' has not judged each text.`)
      results.push(...found.map(resultOf))
    }
    return results
  }
}

/** @throws TypeError for a result that does not say what the model has decided */
function resultOf({ flagged, categories, category_scores: scores }: JsonObject): ModerationResult {
  if (typeof flagged !== 'boolean') throw new TypeError("The moderation model has sent no 'flagged'.")
  return {
    flagged,
    categories: membersOf('categories', categories, (value) => typeof value === 'boolean'),
    scores: membersOf('category_scores', scores, (value) => typeof value === 'number'),
  }
}

/** Returns the members of an object. Vendors send `null` for those that they do not judge. */
function membersOf<Value>(
  name: string,
  value: unknown,
  isValue: (member: unknown) => member is Value,
): Readonly<Record<string, Value>> {
  const found: Record<string, Value> = {}
  if (value === undefined || value === null) return found
  if (!isObject(value)) throw new TypeError(`The moderation model has sent malformed '${name}'.`)
  for (const [key, member] of Object.entries(value)) {
    if (isValue(member)) found[key] = member
    else if (member !== null) throw new TypeError(`The moderation model has sent malformed '${name}'.`)
  }
  return found
}
