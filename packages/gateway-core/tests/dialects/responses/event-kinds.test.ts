import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/dialects/dialect.ts'
import { responsesTranslation } from '../../../src/dialects/responses/responses-translation.ts'
import { responseContext } from './response-context.ts'

const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] }
const said = { type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }
const response = { id: 'resp_9', model: 'm', created_at: 1, output: [] }
const nothing: readonly string[] = []

/** What the reader makes of each kind of event that OpenAI documents, as the first event of a stream. */
const kinds = {
  error: [{ code: 'server_error', message: 'No.', param: null }, ['error']],
  'response.created': [{ response }, ['start']],
  'response.queued': [{ response }, ['start']],
  'response.in_progress': [{ response }, ['start']],
  'response.completed': [{ response: { ...response, output: [{ ...message, content: [said] }] } }, whole()],
  'response.incomplete': [{ response }, ['start', 'finish']],
  'response.failed': [{ response: { ...response, error: { code: 'server_error', message: 'No.' } } }, ['error']],
  'response.output_item.added': [{ item: { type: 'reasoning', id: 'rs_1', summary: [] } }, ['start', 'part']],
  'response.output_item.done': [{ item: { ...message, content: [said] } }, whole().slice(0, -1)],
  'response.content_part.added': [{ part: { ...said, text: '' } }, nothing],
  'response.content_part.done': [{ part: said }, nothing],
  'response.output_text.delta': [{ delta: 'Hi', logprobs: [] }, ['start', 'part', 'text']],
  'response.output_text.done': [{ text: 'Hi', logprobs: [] }, ['start', 'part', 'text']],
  'response.output_text.annotation.added': [{ annotation: { type: 'url_citation', url: 'https://a' } }, nothing],
  'response.refusal.delta': [{ delta: 'No' }, ['start', 'part', 'text']],
  'response.refusal.done': [{ refusal: 'No' }, ['start', 'part', 'text']],
  'response.reasoning_text.delta': [{ delta: 'Hm' }, ['start', 'part', 'text']],
  'response.reasoning_text.done': [{ text: 'Hm' }, ['start', 'part', 'text']],
  'response.reasoning_summary_part.added': [{ summary_index: 0 }, ['start', 'part']],
  'response.reasoning_summary_part.done': [{ summary_index: 0 }, ['start', 'part']],
  'response.reasoning_summary_text.delta': [{ summary_index: 0, delta: 'Hm' }, ['start', 'part', 'summary']],
  'response.reasoning_summary_text.done': [{ summary_index: 0, text: 'Hm' }, ['start', 'part', 'summary']],
  'response.function_call_arguments.delta': [{ delta: '{' }, nothing],
  'response.function_call_arguments.done': [{ arguments: '{}' }, nothing],
  'response.custom_tool_call_input.delta': [{ delta: 'x' }, nothing],
  'response.custom_tool_call_input.done': [{ input: 'x' }, nothing],
  'response.web_search_call.in_progress': [{}, nothing],
  'response.web_search_call.searching': [{}, nothing],
  'response.web_search_call.completed': [{}, nothing],
  'response.file_search_call.in_progress': [{}, nothing],
  'response.file_search_call.searching': [{}, nothing],
  'response.file_search_call.completed': [{}, nothing],
  'response.image_generation_call.in_progress': [{}, nothing],
  'response.image_generation_call.generating': [{}, nothing],
  'response.image_generation_call.partial_image': [{ partial_image_b64: 'AAAA', partial_image_index: 0 }, nothing],
  'response.image_generation_call.completed': [{}, nothing],
  'response.code_interpreter_call.in_progress': [{}, nothing],
  'response.code_interpreter_call.interpreting': [{}, nothing],
  'response.code_interpreter_call.completed': [{}, nothing],
  'response.code_interpreter_call_code.delta': [{ delta: '1' }, nothing],
  'response.code_interpreter_call_code.done': [{ code: '1' }, nothing],
  'response.mcp_call.in_progress': [{}, nothing],
  'response.mcp_call.completed': [{}, nothing],
  'response.mcp_call.failed': [{}, nothing],
  'response.mcp_call_arguments.delta': [{ delta: '{' }, nothing],
  'response.mcp_call_arguments.done': [{ arguments: '{}' }, nothing],
  'response.mcp_list_tools.in_progress': [{}, nothing],
  'response.mcp_list_tools.completed': [{}, nothing],
  'response.mcp_list_tools.failed': [{}, nothing],
  'response.shell_call_command.added': [{ command: 'l' }, nothing],
  'response.shell_call_command.delta': [{ delta: 's' }, nothing],
  'response.shell_call_command.done': [{ command: 'ls' }, nothing],
  'response.shell_call_output_content.delta': [{ delta: {} }, nothing],
  'response.shell_call_output_content.done': [{ output: [] }, nothing],
  'response.compaction.compacting': [{}, nothing],
  'response.audio.delta': [{ delta: 'AAAA' }, nothing],
  'response.audio.done': [{}, nothing],
  'response.audio.transcript.delta': [{ delta: 'Hi' }, nothing],
  'response.audio.transcript.done': [{}, nothing],
} satisfies Record<ResponseStreamEvent['type'], readonly [JsonObject, readonly string[]]>

function whole(): readonly string[] {
  return ['start', 'part', 'text', 'part-end', 'finish']
}

const reader = (customAsFunctions: ReadonlySet<string> = new Set()) =>
  responsesTranslation.readEvents(responseContext({}, { customAsFunctions }))

const readAll = (events: readonly JsonObject[], customAsFunctions?: ReadonlySet<string>) => {
  const one = reader(customAsFunctions)
  return events.flatMap((event) => one.read(undefined, event))
}

describe('the reader of responses', () => {
  it.each(Object.entries(kinds))('reads %s, also as the first event', (type, [fields, steps]) => {
    const event = { type, sequence_number: 0, output_index: 0, content_index: 0, item_id: 'x', ...fields }
    expect(
      reader()
        .read(type, event)
        .map((step) => step.type),
    ).toEqual(steps)
  })

  it('reads calls whose events came before their items', () => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"x":1}' }
    const steps = readAll([
      { type: 'response.created', response },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"x"' },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ])
    expect(steps.slice(1)).toMatchObject([
      { type: 'part', part: { callId: 'c', input: '' } },
      { type: 'text', text: '{"x":1}' },
      { type: 'part-end', part: { input: '{"x":1}' } },
      { type: 'finish', ending: { reason: 'tool-calls' } },
    ])
  })

  it('reads the input of a custom tool that was offered as a function when it is complete', () => {
    const item = { type: 'function_call', call_id: 'c', name: 'patch', arguments: '' }
    const steps = readAll(
      [
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"input":' },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '"a\\nb"}' },
        { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: '{"input":"a\\nb"}' } },
      ],
      new Set(['patch']),
    )
    expect(steps.slice(1)).toMatchObject([
      { type: 'part', part: { kind: 'custom' } },
      { type: 'text', text: 'a\nb' },
      { type: 'part-end', part: { kind: 'custom', input: 'a\nb' } },
    ])
  })

  it('puts items that overlap one after the other', () => {
    const steps = readAll([
      { type: 'response.created', response },
      { type: 'response.output_item.added', output_index: 0, item: message },
      { type: 'response.output_item.added', output_index: 1, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
      { type: 'response.reasoning_text.delta', output_index: 1, delta: 'Hm' },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi' },
      { type: 'response.output_item.done', output_index: 1, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response },
    ])
    expect(steps.map((step) => [step.type, 'index' in step ? step.index : undefined])).toEqual([
      ['start', undefined],
      ['part', 0],
      ['text', 0],
      ['part-end', 0],
      ['part', 1],
      ['text', 1],
      ['part-end', 1],
      ['finish', undefined],
    ])
  })

  it('reads no later event after the end', () => {
    expect(
      readAll([
        { type: 'response.completed', response },
        { type: 'response.completed', response },
      ]),
    ).toHaveLength(2)
  })

  it('leaves a stream that was cut without an end', () => {
    const one = reader()
    one.read(undefined, { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' })
    expect(one.end()).toEqual([])
  })

  it('reports a limit with its status', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' }
    expect(readAll([{ type: 'response.failed', response: { ...response, error } }])).toMatchObject([
      { type: 'error', error: { type: 'refused', status: 429, code: 'rate_limit_exceeded', retryable: true } },
    ])
  })
})
