import { isObject } from '../../chat/is-object.ts'
import { unsupportedParameter } from '../../providers/refused-parameter.ts'
import type { AnswerFormat, ConversationRequest } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, present, textIn, textOr } from '../json-values.ts'
import { unknownMembers } from '../requests/known-members.ts'
import { known } from './known-members.ts'
import { readFunctionChoice, usesFunctions } from './legacy-functions.ts'
import { readToolChoice, readTools } from './read-tools.ts'
import { readTurns } from './read-turns.ts'
import { extraOf, hintsOf, namesOf, readSettings } from './request-settings.ts'

/**
 * Reads a chat request. A mark of the cache on a message is that of its last part, and `tool_choice: 'any'` means
 * `required`.
 *
 * @throws ProviderFailure for messages of the role `function` without a call, and formats other than JSON
 */
export function readChatRequest(body: JsonObject): ConversationRequest {
  const listed = { ...hintsOf(body), ...unknownMembers(body, known) }
  const hints = Object.keys(listed)
  return {
    dialect: 'chat',
    stream: body.stream === true,
    turns: readTurns(listOr(body.messages)),
    tools: readTools(body),
    ...present({
      toolChoice: readToolChoice(body.tool_choice) ?? readFunctionChoice(body.function_call),
      parallelToolCalls: readParallel(body),
      format: readFormat(body.response_format),
    }),
    settings: readSettings(body),
    names: namesOf(body),
    extra: { ...extraOf(body), ...listed },
    ...(hints.length > 0 ? { hints } : {}),
  }
}

/** Clients with functions read one call of an answer. */
function readParallel(body: JsonObject): boolean | undefined {
  if (usesFunctions(body)) return false
  if (objectOr(body.tool_choice).disable_parallel_tool_use === true) return false
  return typeof body.parallel_tool_calls === 'boolean' ? body.parallel_tool_calls : undefined
}

function readFormat(value: unknown): AnswerFormat | undefined {
  const { type, json_schema: format } = objectOr(value)
  if (type === undefined || type === 'text') return undefined
  if (type === 'json_object') return { type: 'json' }
  if (type !== 'json_schema') {
    throw unsupportedParameter(
      'response_format',
      `This model does not support a response_format of type '${textOr(type).slice(0, 64)}'.`,
    )
  }
  const { name, description, schema, strict } = objectOr(format)
  return {
    type: 'schema',
    schema: isObject(schema) ? schema : {},
    ...present({
      name: textIn(name),
      description: textIn(description),
      strict: typeof strict === 'boolean' ? strict : undefined,
    }),
  }
}
