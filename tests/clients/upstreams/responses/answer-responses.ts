import * as v from 'valibot'
import { checkRequest, object } from '../check-request.ts'
import { halves } from '../messages/messages-upstream.ts'
import { ANY_OBJECT } from '../sample-of.ts'
import type { OfferedTool, Reply } from '../script.ts'
import { type Exchange, Refusal, sendEvents, sendJson } from '../upstream.ts'
import { checkResponses } from './check-responses.ts'
import { type ResponsesRequest, responsesSchema } from './responses-schema.ts'

const USAGE = {
  input_tokens: 31,
  input_tokens_details: { cached_tokens: 7 },
  output_tokens: 11,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 42,
}

let count = 0

/** Answers `/responses`, as strictly as OpenAI. */
export function answerResponses({ received, response, script }: Exchange): void {
  const request = checkRequest(responsesSchema, received.body)
  checkResponses(request)
  if (request.previous_response_id?.startsWith('resp_up_') === false) {
    throw new Refusal(`Previous response with id '${request.previous_response_id}' not found.`)
  }
  count += 1
  const format = request.text?.format
  const reply = script.reply({
    tools: (request.tools ?? []).flatMap(toolsOf),
    choice: choiceOf(request.tool_choice),
    results: typeof request.input === 'string' ? 0 : (request.input ?? []).filter(isResult).length,
    format: format?.type === 'json_schema' ? format.schema : format?.type === 'json_object' ? ANY_OBJECT : undefined,
  })
  const output = [...reasoningOf(request), itemOf(reply)]
  const whole = answerOf(request, output)
  if (request.stream === true) sendEvents(response, eventsOf(whole, output))
  else sendJson(response, whole)
}

const isResult = (item: object): boolean => 'type' in item && String(item.type).endsWith('_call_output')

function toolsOf(tool: NonNullable<ResponsesRequest['tools']>[number]): OfferedTool[] {
  if (tool.type === 'custom' && typeof tool.name === 'string') return [{ name: tool.name }]
  if (tool.type === 'function' && typeof tool.name === 'string') {
    return [{ name: tool.name, schema: v.is(object, tool.parameters) ? tool.parameters : { type: 'object' } }]
  }
  if (tool.type !== 'namespace' || !Array.isArray(tool.tools)) return []
  const namespace = String(tool.name)
  return tool.tools.flatMap(toolsOf).map((one) => ({ ...one, namespace }))
}

const choiceOf = (choice: ResponsesRequest['tool_choice']): string =>
  choice === undefined || typeof choice === 'string' ? (choice ?? 'auto') : (choice.name ?? 'auto')

type Item = ReturnType<typeof itemOf> | ReturnType<typeof reasoningItem>

const reasoningItem = () => ({
  type: 'reasoning' as const,
  id: `rs_${count}`,
  summary: [{ type: 'summary_text', text: 'The user needs an answer.' }],
  encrypted_content: 'ENCRYPTED',
})

const reasoningOf = ({ reasoning, include }: ResponsesRequest): Item[] =>
  reasoning != null && include?.includes('reasoning.encrypted_content') === true ? [reasoningItem()] : []

function itemOf(reply: Reply) {
  const status = 'completed'
  if (reply.kind === 'text') {
    const content = [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }]
    return { type: 'message' as const, id: `msg_${count}`, role: 'assistant', status, content }
  }
  const { tool, input } = reply
  const common = { call_id: `call_${count}`, name: tool.name, status }
  if (typeof input === 'string') return { type: 'custom_tool_call' as const, id: `ctc_${count}`, ...common, input }
  const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace }
  return {
    type: 'function_call' as const,
    id: `fc_${count}`,
    ...common,
    ...namespace,
    arguments: JSON.stringify(input),
  }
}

const answerOf = (request: ResponsesRequest, output: readonly Item[]) => ({
  ...{ id: `resp_up_${count}`, object: 'response', created_at: 1_763_000_000, status: 'completed', error: null },
  ...{ incomplete_details: null, instructions: request.instructions ?? null, model: request.model, output },
  ...{ max_output_tokens: null, parallel_tool_calls: true, previous_response_id: request.previous_response_id ?? null },
  ...{ reasoning: { effort: null, summary: null }, store: request.store ?? true, temperature: 1, top_p: 1 },
  ...{ text: request.text ?? { format: { type: 'text' } }, tool_choice: request.tool_choice ?? 'auto' },
  ...{ tools: request.tools ?? [], truncation: 'disabled', metadata: request.metadata ?? {}, usage: USAGE },
})

function eventsOf(whole: ReturnType<typeof answerOf>, output: readonly Item[]): object[] {
  const started = { ...whole, status: 'in_progress', output: [], usage: null }
  const events = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: emptied(item) },
      ...deltasOf(item).map((event) => ({ ...event, item_id: item.id, output_index })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: whole },
  ]
  return events.map((event, sequence_number) => ({ ...event, sequence_number }))
}

function emptied(item: Item): object {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  if (item.type === 'reasoning') return { ...item, summary: [] }
  if (item.type === 'custom_tool_call') return { ...item, status: 'in_progress', input: '' }
  return { ...item, status: 'in_progress', arguments: '' }
}

function deltasOf(item: Item): object[] {
  if (item.type === 'message') {
    const text = item.content[0]?.text ?? ''
    const at = { content_index: 0 }
    return [
      { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '', annotations: [] } },
      ...halves(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part: item.content[0] },
    ]
  }
  if (item.type === 'reasoning') {
    const text = item.summary[0]?.text ?? ''
    const at = { summary_index: 0 }
    return [
      { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
      ...halves(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
      { type: 'response.reasoning_summary_text.done', ...at, text },
      { type: 'response.reasoning_summary_part.done', ...at, part: item.summary[0] },
    ]
  }
  if (item.type === 'custom_tool_call') {
    return [
      ...halves(item.input).map((delta) => ({ type: 'response.custom_tool_call_input.delta', delta })),
      { type: 'response.custom_tool_call_input.done', input: item.input },
    ]
  }
  return [
    ...halves(item.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
    { type: 'response.function_call_arguments.done', name: item.name, arguments: item.arguments },
  ]
}
