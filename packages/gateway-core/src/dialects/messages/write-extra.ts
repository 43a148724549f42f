import { absentField } from '../absent-field.ts'
import type { ConversationRequest } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import type { Omissions } from './omissions.ts'

/** Fields of the Messages API that clients of other dialects send, too. */
const passed: ReadonlySet<string> = new Set(
  'thinking output_config context_management mcp_servers container cache_control inference_geo speed top_k'.split(' '),
)

/** Returns the fields for Anthropic among those that have no place in the inner form. Lists hints, refuses the others. */
export function writeExtra({ dialect, extra, hints = [] }: ConversationRequest, omitted: Omissions): JsonObject {
  const kept: Record<string, unknown> = {}
  const listed = new Set(hints)
  for (const [name, value] of Object.entries(extra)) {
    if (isUnset(value)) continue
    if (dialect === 'messages' && !name.includes('.')) kept[name] = value
    else if (listed.has(name)) omitted.add(name)
    else if (passed.has(name)) kept[name] = value
    else throw absentField(name, 'messages')
  }
  return kept
}

const isUnset = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && Object.keys(value).length === 0)
