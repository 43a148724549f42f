import { isObject } from '../../chat/is-object.ts'
import { formatDollars, type Nanodollars } from '../../money/dollars.ts'
import type { Dialect, JsonObject } from '../dialect.ts'
import type { StreamProtocol } from '../streams/stream-protocol.ts'

/** The header with which a client asks for the cost in the usage of a stream. */
const HEADER = 'x-trivium-include-cost'

/** Returns whether a client asks for the cost in the usage of its stream. */
export const asksForCost = (headers: Readonly<Record<string, unknown>> | undefined): boolean =>
  headers?.[HEADER] === '1' || headers?.[HEADER] === 'true'

/**
 * Adds the cost so far to the usage that a stream reports: of chunks of chats, of the last response, or of
 * `message_delta`. All other events pass as they came.
 */
export const costedProtocol = (
  protocol: StreamProtocol,
  dialect: Dialect,
  costOf: () => Nanodollars | undefined,
): StreamProtocol => ({
  ...protocol,
  shown(value, text) {
    const shown = protocol.shown?.(value, text) ?? text
    if (!isObject(value)) return shown
    const { response, usage, type } = value
    const isResponse = dialect === 'responses' && isObject(response) && isObject(response.usage)
    if (!isResponse && !(isObject(usage) && (dialect === 'chat' || type === 'message_delta'))) return shown
    const cost = costOf()
    if (cost === undefined) return shown
    const costed = isResponse ? { ...value, response: withCost(response, cost) } : withCost(value, cost)
    const name = dialect === 'chat' || typeof type !== 'string' ? '' : `event: ${type}\n`
    return `${name}data: ${JSON.stringify(costed)}\n\n`
  },
})

/** Adds a cost to the usage of an answer, or of an event that reports it. */
export const withCost = (answer: JsonObject, cost: Nanodollars): JsonObject => ({
  ...answer,
  usage: { ...(isObject(answer.usage) ? answer.usage : {}), cost: Number(formatDollars(cost)) },
})
