import type { ConversationRequest } from '../conversation/conversation-request.ts'
import { unsupportedField } from '../conversation/unsupported-field.ts'
import type { JsonObject } from '../dialect.ts'
import type { WriteRequestOptions, WrittenRequest } from '../translation.ts'
import { type RequestScope, requestScope } from './request-scope.ts'
import { writeFormat, writeSettings } from './write-settings.ts'
import { writeTools } from './write-tools.ts'
import { writeMessages } from './write-turns.ts'

/**
 * Writes a chat request. A client of chat completions gets its extensions through, such as `cache_control` and
 * `thinking_blocks`, because it chose them for its upstream. Those of the other dialects are left out, because most
 * upstreams refuse fields that they do not know.
 *
 * @throws ProviderFailure for what chat completions cannot carry
 */
export function writeChatRequest(request: ConversationRequest, options: WriteRequestOptions): WrittenRequest {
  const scope = requestScope(request, options)
  const body = {
    ...writeExtra(scope),
    model: options.model,
    messages: writeMessages(request.turns, scope),
    ...writeTools(scope),
    ...writeFormat(request.format),
    ...writeSettings(scope),
    ...(request.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
  return { body, omitted: scope.omitted.names }
}

/** Fields of other dialects without an effect on the meaning of the answer. */
const hints: ReadonlySet<string> = new Set(
  (
    'include client_metadata prompt_cache_options stream_options context_management max_tool_calls diagnostics ' +
    'cache_control speed'
  ).split(' '),
)

/** The values that mean the same as an absent field. */
const defaults: Readonly<Record<string, unknown>> = { truncation: 'disabled', background: false }

function writeExtra({ request, omitted }: RequestScope): JsonObject {
  if (request.dialect === 'chat') {
    // Names with a dot are those of members.
    return Object.fromEntries(Object.entries(request.extra).filter(([name]) => !name.includes('.')))
  }
  for (const [name, value] of Object.entries(request.extra)) {
    if (value == null || defaults[name] === value) continue
    if (!hints.has(name) && !request.hints?.includes(name)) throw unsupportedField(request, name, 'chat')
    omitted.add(name)
  }
  return {}
}
