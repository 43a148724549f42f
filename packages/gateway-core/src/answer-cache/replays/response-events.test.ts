import { describe, expect, it } from 'vitest'
import { responseEvents } from './response-events.ts'

const annotation = { type: 'url_citation', url: 'https://example.com', title: 't', start_index: 0, end_index: 2 }
const logprobs = [{ token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [] }]

const output = [
  {
    id: 'rs_1',
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'Short' }],
    content: [{ type: 'reasoning_text', text: 'Long' }],
  },
  {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Hi', annotations: [annotation], logprobs }],
  },
  { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_1', name: 'patch', input: 'a', status: 'completed' },
]

const response = {
  id: 'resp_1',
  object: 'response',
  status: 'incomplete',
  incomplete_details: { reason: 'max_output_tokens' },
  output,
  usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
}

const events = responseEvents(response)
  .split('\n\n')
  .filter((event) => event !== '')
  .map((event) => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? ''))

const typed = (type: string) => events.filter((event) => event.type === `response.${type}`)

describe('responseEvents', () => {
  it('begins with a response that runs, and ends with the whole one', () => {
    const running = { status: 'in_progress', output: [], usage: null, incomplete_details: null }
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'response.created', sequence_number: 0, response: running },
      { type: 'response.in_progress', sequence_number: 1, response: running },
    ])
    expect(events.at(-1)).toEqual({ type: 'response.incomplete', sequence_number: events.length - 1, response })
  })

  it('writes each item, and every text of it', () => {
    expect(typed('output_item.done').map(({ item }) => item)).toEqual(output)
    expect(typed('reasoning_summary_text.delta')).toMatchObject([{ item_id: 'rs_1', summary_index: 0, delta: 'Short' }])
    expect(typed('reasoning_text.delta')).toMatchObject([{ item_id: 'rs_1', content_index: 0, delta: 'Long' }])
    expect(typed('output_text.delta')).toMatchObject([{ item_id: 'msg_1', output_index: 1, delta: 'Hi', logprobs }])
    expect(typed('custom_tool_call_input.delta')).toMatchObject([{ item_id: 'ctc_1', delta: 'a' }])
  })

  it('writes annotations between a text and its end', () => {
    const types = events.map(({ type }) => type)
    const place = types.indexOf('response.output_text.annotation.added')
    expect(types.slice(place - 1, place + 2)).toEqual([
      'response.output_text.delta',
      'response.output_text.annotation.added',
      'response.output_text.done',
    ])
    expect(events[place]).toMatchObject({ item_id: 'msg_1', content_index: 0, annotation_index: 0, annotation })
  })
})
