import Anthropic from '@anthropic-ai/sdk'
import type { Dialect, JsonObject } from '@trivium/gateway-core/ports'
import OpenAI from 'openai'
import { scripts } from '../dialects/dialect-scripts.ts'

/** What a client has got, in the names of the gateway. */
export interface ReadAnswer {
  readonly id: string
  readonly text: string
  readonly calls: readonly unknown[]
  readonly ending: unknown
  /** Input and output. */
  readonly usage: readonly unknown[]
}

interface Client {
  /** Requests a complete answer with the official SDK. */
  whole(): Promise<ReadAnswer>
  /** Requests a stream, and assembles it with the official SDK. */
  streamed(): Promise<ReadAnswer>
}

/** Clients of a gateway that send the requests of the scripts, without storing responses. */
export function sdkClient(front: Dialect, fetch: typeof globalThis.fetch, secret: string): Client {
  const baseURL = 'http://gateway.test'
  const body = { model: 'up/big', ...scripts[front].request, ...(front === 'responses' && { store: false }) }
  const openai = new OpenAI({ apiKey: secret, baseURL: `${baseURL}/v1`, maxRetries: 0, fetch })
  const anthropic = new Anthropic({ apiKey: secret, baseURL, maxRetries: 0, fetch })
  switch (front) {
    case 'chat': {
      const request = as<OpenAI.ChatCompletionCreateParamsNonStreaming>(body)
      const read = ({ id, choices: [choice], usage }: OpenAI.ChatCompletion): ReadAnswer => ({
        id,
        text: choice?.message.content ?? '',
        calls: (choice?.message.tool_calls ?? []).map((call) =>
          call.type === 'function' ? [call.id, call.function.name, JSON.parse(call.function.arguments)] : call,
        ),
        ending: choice?.finish_reason,
        usage: [usage?.prompt_tokens, usage?.completion_tokens],
      })
      return {
        whole: async () => read(await openai.chat.completions.create(request)),
        streamed: async () =>
          read(
            await openai.chat.completions
              .stream({ ...request, stream: true, stream_options: { include_usage: true } })
              .finalChatCompletion(),
          ),
      }
    }
    case 'responses': {
      const request = as<OpenAI.Responses.ResponseCreateParamsNonStreaming>(body)
      const read = ({ id, output, output_text: text, status, usage }: OpenAI.Responses.Response): ReadAnswer => ({
        id,
        text,
        calls: output.flatMap((item) =>
          item.type === 'function_call' ? [[item.call_id, item.name, JSON.parse(item.arguments)]] : [],
        ),
        ending: status,
        usage: [usage?.input_tokens, usage?.output_tokens],
      })
      return {
        whole: async () => read(await openai.responses.create(request)),
        streamed: async () => read(await openai.responses.stream({ ...request, stream: true }).finalResponse()),
      }
    }
    case 'messages': {
      const request = as<Anthropic.MessageCreateParamsNonStreaming>(body)
      const read = ({ id, content, stop_reason: ending, usage }: Anthropic.Message): ReadAnswer => ({
        id,
        text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
        calls: content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.name, block.input]] : [])),
        ending,
        usage: [usage.input_tokens, usage.output_tokens],
      })
      return {
        whole: async () => read(await anthropic.messages.create(request)),
        streamed: async () => read(await anthropic.messages.stream(request).finalMessage()),
      }
    }
  }
}

/** The scripts have requests of these types. */
const as = <Request>(body: JsonObject): Request => body as unknown as Request
