import type Anthropic from '@anthropic-ai/sdk'
import type { Dialect } from '@trivium/gateway-core/ports'
import type OpenAI from 'openai'

/** What tests compare of an answer. */
export interface ClientAnswer {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
}

/** Reads a complete answer as a client of the dialect does. */
export function readAnswer(dialect: Dialect, body: unknown): ClientAnswer {
  return readers[dialect](body)
}

const readers: Readonly<Record<Dialect, (body: unknown) => ClientAnswer>> = {
  chat(body) {
    const [choice] = (body as OpenAI.ChatCompletion).choices
    const calls = choice?.message.tool_calls ?? []
    return {
      text: choice?.message.content ?? '',
      calls: calls.flatMap((call) =>
        call.type === 'function'
          ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
          : [],
      ),
    }
  },
  responses(body) {
    const { output } = body as OpenAI.Responses.Response
    return {
      text: output
        .flatMap((item) => (item.type === 'message' ? item.content : []))
        .map((part) => (part.type === 'output_text' ? part.text : ''))
        .join(''),
      calls: output.flatMap((item) =>
        item.type === 'function_call' ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }] : [],
      ),
    }
  },
  messages(body) {
    const { content } = body as Anthropic.Message
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: content.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
      ),
    }
  },
}

/** Reads a stream as a client of the dialect does. */
export function readStream(dialect: Dialect, text: string): ClientAnswer {
  const values = text
    .split('\n')
    .filter((line) => line.startsWith('data:') && !line.endsWith('[DONE]'))
    .map((line): unknown => JSON.parse(line.slice(5)))
  switch (dialect) {
    case 'chat':
      return ofChunks(values as readonly OpenAI.ChatCompletionChunk[])
    case 'responses':
      return ofResponseEvents(values as readonly OpenAI.Responses.ResponseStreamEvent[])
    case 'messages':
      return ofMessageEvents(values as readonly Anthropic.MessageStreamEvent[])
  }
}

function ofChunks(chunks: readonly OpenAI.ChatCompletionChunk[]): ClientAnswer {
  const calls = new Map<number, { id: string; name: string; input: string }>()
  let text = ''
  for (const { choices } of chunks) {
    for (const { delta } of choices) {
      text += delta.content ?? ''
      for (const { index, id, function: called } of delta.tool_calls ?? []) {
        const call = calls.get(index) ?? { id: '', name: '', input: '' }
        calls.set(index, {
          id: call.id + (id ?? ''),
          name: call.name + (called?.name ?? ''),
          input: call.input + (called?.arguments ?? ''),
        })
      }
    }
  }
  return { text, calls: [...calls.values()].map((call) => ({ ...call, input: JSON.parse(call.input) })) }
}

/** The last event must have all that the others built up. */
function ofResponseEvents(events: readonly OpenAI.Responses.ResponseStreamEvent[]): ClientAnswer {
  const last = events.at(-1)
  const text = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')
  const answer = readAnswer('responses', last?.type === 'response.completed' ? last.response : { output: [] })
  return { ...answer, text: answer.text === text ? text : `${text} is not ${answer.text}` }
}

function ofMessageEvents(events: readonly Anthropic.MessageStreamEvent[]): ClientAnswer {
  const calls = new Map<number, { id: string; name: string; input: string }>()
  let text = ''
  for (const event of events) {
    if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') {
      const { id, name } = event.content_block
      calls.set(event.index, { id, name, input: '' })
    }
    if (event.type !== 'content_block_delta') continue
    if (event.delta.type === 'text_delta') text += event.delta.text
    const call = calls.get(event.index)
    if (call && event.delta.type === 'input_json_delta') call.input += event.delta.partial_json
  }
  return { text, calls: [...calls.values()].map((call) => ({ ...call, input: JSON.parse(call.input) })) }
}
