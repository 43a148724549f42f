import { checkRequest } from '../check-request.ts'
import { halves } from '../messages/messages-upstream.ts'
import { ANY_OBJECT } from '../sample-of.ts'
import type { OfferedTool, Reply } from '../script.ts'
import { type Exchange, sendEvents, sendJson } from '../upstream.ts'
import { type ChatRequest, chatSchema } from './chat-schema.ts'
import { checkChat } from './check-chat.ts'

const USAGE = {
  prompt_tokens: 31,
  completion_tokens: 11,
  total_tokens: 42,
  prompt_tokens_details: { cached_tokens: 7, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 0 },
}

let count = 0

/** Answers `/chat/completions`, as strictly as OpenAI. */
export function answerChat({ received, response, script }: Exchange): void {
  const request = checkRequest(chatSchema, received.body)
  checkChat(request)
  count += 1
  const format = request.response_format
  const reply = script.reply({
    tools: (request.tools ?? []).map(toolOf),
    choice: choiceOf(request.tool_choice),
    results: request.messages.filter(({ role }) => role === 'tool').length,
    format:
      format?.type === 'json_schema'
        ? format.json_schema.schema
        : format?.type === 'json_object'
          ? ANY_OBJECT
          : undefined,
  })
  const common = { id: `chatcmpl-${count}`, created: 1_763_000_000, model: request.model, system_fingerprint: 'fp_1' }
  const finish = reply.kind === 'call' ? 'tool_calls' : 'stop'
  if (request.stream === true) {
    const chunk = { ...common, object: 'chat.completion.chunk' }
    const usage = request.stream_options?.include_usage === true
    const events = [
      ...deltasOf(reply).map((delta) => ({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })),
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
      ...(usage ? [{ ...chunk, choices: [], usage: USAGE }] : []),
    ]
    sendEvents(response, events, 'data: [DONE]\n\n')
    return
  }
  const choice = { index: 0, message: messageOf(reply), logprobs: null, finish_reason: finish }
  sendJson(response, { ...common, object: 'chat.completion', choices: [choice], usage: USAGE })
}

const toolOf = (tool: NonNullable<ChatRequest['tools']>[number]): OfferedTool =>
  tool.type === 'custom'
    ? { name: tool.custom.name }
    : { name: tool.function.name, schema: tool.function.parameters ?? { type: 'object', properties: {} } }

function choiceOf(choice: ChatRequest['tool_choice']): string {
  if (choice === undefined || typeof choice === 'string') return choice ?? 'auto'
  if (choice.type === 'function') return choice.function.name
  return choice.type === 'custom' ? choice.custom.name : 'auto'
}

const messageOf = (reply: Reply) =>
  reply.kind === 'text'
    ? { role: 'assistant', content: reply.text, refusal: null, annotations: [] }
    : { role: 'assistant', content: null, refusal: null, annotations: [], tool_calls: [callOf(reply)] }

const callOf = ({ tool, input }: Extract<Reply, { kind: 'call' }>) =>
  typeof input === 'string'
    ? { id: `call_${count}`, type: 'custom', custom: { name: tool.name, input } }
    : { id: `call_${count}`, type: 'function', function: { name: tool.name, arguments: JSON.stringify(input) } }

function deltasOf(reply: Reply): object[] {
  if (reply.kind === 'text') {
    return [{ role: 'assistant', content: '', refusal: null }, ...halves(reply.text).map((content) => ({ content }))]
  }
  const { tool, input } = reply
  const start = { index: 0, id: `call_${count}` }
  if (typeof input === 'string') {
    return [
      { role: 'assistant', content: null },
      { tool_calls: [{ ...start, type: 'custom', custom: { name: tool.name, input: '' } }] },
      ...halves(input).map((piece) => ({ tool_calls: [{ index: 0, custom: { input: piece } }] })),
    ]
  }
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ ...start, type: 'function', function: { name: tool.name, arguments: '' } }],
    },
    ...halves(JSON.stringify(input)).map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ]
}
