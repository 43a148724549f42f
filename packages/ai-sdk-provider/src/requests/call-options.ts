import type { JSONSchema7, JSONValue, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { type ProviderContext, unsupportedParameter } from '@trivium/gateway-core/ports'
import { isObject, type JsonObject, listOr, objectOr, textOr } from '@trivium/provider-kit/answers'
import { prompt } from './prompt.ts'
import type { PromptMessage } from './prompt-message.ts'

/** Options of the model's own provider, by its name, as `{ openai: { parallelToolCalls: false } }`. */
export type ProviderOptions = Record<string, Record<string, JSONValue>>

/** The options of a call, in the format of version 4. */
export type CallOptions = Omit<LanguageModelV4CallOptions, 'prompt' | 'tools' | 'providerOptions'> & {
  prompt: PromptMessage[]
  tools?: FunctionTool[]
  providerOptions?: ProviderOptions
}

interface FunctionTool {
  type: 'function'
  name: string
  description?: string
  inputSchema: JSONSchema7
  strict?: boolean
}

/**
 * Converts a chat completion request to a call of the AI SDK. Hints that the SDK does not have (`user`, `store`,
 * `service_tier`, `parallel_tool_calls`) are ignored; the host can set them with its provider options.
 *
 * @throws ProviderFailure for a parameter that would change the answer and that the SDK does not have
 */
export function callOptions(
  chat: JsonObject,
  { signal, headers }: Pick<ProviderContext, 'signal' | 'headers'>,
  providerOptions: ProviderOptions | undefined,
): CallOptions {
  refuseUnsupported(chat)
  const maxOutputTokens = numberOr(chat.max_completion_tokens) ?? numberOr(chat.max_tokens)
  const stops = typeof chat.stop === 'string' ? [chat.stop] : listOr(chat.stop).map((stop) => textOr(stop))
  const reasoning = efforts.find((effort) => effort === chat.reasoning_effort)
  return {
    prompt: prompt(listOr(chat.messages)),
    abortSignal: signal,
    headers: { ...headers },
    ...given('maxOutputTokens', maxOutputTokens),
    ...given('temperature', numberOr(chat.temperature)),
    ...given('topP', numberOr(chat.top_p)),
    ...given('topK', numberOr(chat.top_k)),
    ...given('presencePenalty', numberOr(chat.presence_penalty)),
    ...given('frequencyPenalty', numberOr(chat.frequency_penalty)),
    ...given('seed', numberOr(chat.seed)),
    ...(stops.length > 0 ? { stopSequences: stops } : {}),
    ...(reasoning ? { reasoning } : {}),
    ...responseFormat(objectOr(chat.response_format)),
    ...tools(chat),
    ...(providerOptions ? { providerOptions } : {}),
  }
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

const given = <Name extends string>(name: Name, value: number | undefined) =>
  // A computed key of a type parameter widens to an index signature.
  (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: number }

function refuseUnsupported(chat: JsonObject): void {
  const asked: Readonly<Record<string, boolean>> = {
    n: typeof chat.n === 'number' && chat.n !== 1,
    logprobs: chat.logprobs === true,
    logit_bias: Object.keys(objectOr(chat.logit_bias)).length > 0,
    modalities: listOr(chat.modalities).some((modality) => modality !== 'text'),
    audio: isObject(chat.audio),
    functions: listOr(chat.functions).length > 0,
    web_search_options: isObject(chat.web_search_options),
  }
  for (const [name, isAsked] of Object.entries(asked)) if (isAsked) throw unsupportedParameter(name)
}

function responseFormat({ type, json_schema }: JsonObject): Pick<CallOptions, 'responseFormat'> {
  if (type === 'json_object') return { responseFormat: { type: 'json' } }
  if (type !== 'json_schema') return {}
  const { name, description, schema } = objectOr(json_schema)
  return {
    responseFormat: {
      type: 'json',
      ...(isObject(schema) ? { schema: schemaOf(schema) } : {}),
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof description === 'string' ? { description } : {}),
    },
  }
}

// The upstream checks the schema.
const schemaOf = (schema: JsonObject) => schema as JSONSchema7

function tools(chat: JsonObject): Pick<CallOptions, 'tools' | 'toolChoice'> {
  const offered = listOr(chat.tools).map((value, index) => tool(objectOr(value), `tools[${index}]`))
  const { choice, names } = toolChoice(chat.tool_choice)
  const chosen = names ? offered.filter(({ name }) => names.has(name)) : offered
  if (chosen.length === 0) return {}
  return { tools: chosen, ...(choice ? { toolChoice: choice } : {}) }
}

function tool(value: JsonObject, path: string): FunctionTool {
  if (value.type !== 'function') throw unsupportedParameter(path, 'Only tools of type function are supported.')
  const { name, description, parameters, strict } = objectOr(value.function)
  return {
    type: 'function',
    name: textOr(name),
    inputSchema: schemaOf(isObject(parameters) ? parameters : { type: 'object', properties: {} }),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

interface Choice {
  readonly choice?: NonNullable<CallOptions['toolChoice']>
  readonly names?: ReadonlySet<string>
}

function toolChoice(value: unknown): Choice {
  if (value === 'none' || value === 'auto' || value === 'required') return { choice: { type: value } }
  if (value === 'any') return { choice: { type: 'required' } }
  if (!isObject(value)) return {}
  if (value.type === 'function') return { choice: { type: 'tool', toolName: textOr(objectOr(value.function).name) } }
  if (value.type !== 'allowed_tools')
    throw unsupportedParameter('tool_choice', 'This choice of tools is not supported.')
  const { mode, tools: allowed } = objectOr(value.allowed_tools)
  const names = new Set(listOr(allowed).map((entry) => textOr(objectOr(objectOr(entry).function).name)))
  return { ...toolChoice(mode), names }
}
