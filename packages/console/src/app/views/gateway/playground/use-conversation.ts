import type { gatewayContract } from '@trivium/gateway-core/http'
import { RefusalError, type RequestTo } from '@trivium/http-client'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../components/error-note.tsx'
import { formatNumber } from '../../../components/format.ts'
import { type GatewayClient, useGateway } from '../../../hooks/use-gateway.ts'
import { useTabState } from '../../../hooks/use-tab-state.ts'
import { type Message, readConversation } from './conversation.ts'
import { type Parameters, parametersBody } from './parameters.tsx'

interface AnswerPart {
  readonly content?: string
  readonly note?: string
}

/** Holds a conversation with a model, for as long as the tab is open. Reads answers as streams. */
export function useConversation() {
  const gateway = useGateway()
  const [messages, setMessages] = useTabState<readonly Message[]>('gateway.conversation', [], readConversation)
  const [error, setError] = useState<string>()
  const [isAnswering, setIsAnswering] = useState(false)
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  async function send(text: string, model: string, parameters: Parameters) {
    const sent: readonly Message[] = [...messages, { role: 'user', content: text }]
    const current = new AbortController()
    const { signal } = current
    controller.current = current
    let answer: Message = { role: 'assistant', content: '' }
    const show = (change: AnswerPart) => {
      answer = { ...answer, ...change, content: answer.content + (change.content ?? '') }
      setMessages([...sent, answer])
    }
    setMessages(sent)
    setError(undefined)
    setIsAnswering(true)
    try {
      for await (const part of streamAnswer(gateway, requestOf(sent, model, parameters), signal)) show(part)
    } catch (failure) {
      if (signal.aborted) show({ note: 'Stopped' })
      else setError(errorMessage(failure))
    } finally {
      setIsAnswering(false)
    }
  }

  return {
    messages,
    error,
    isAnswering,
    send,
    stop: () => controller.current?.abort(),
    clear: () => {
      setError(undefined)
      setMessages([])
    },
  }
}

type ChatRequest = RequestTo<(typeof gatewayContract)['createChatCompletion']>['body']

const requestOf = (messages: readonly Message[], model: string, parameters: Parameters): ChatRequest => ({
  ...parametersBody(parameters),
  model,
  stream: true,
  stream_options: { include_usage: true },
  messages: [
    ...(parameters.system === '' ? [] : [{ role: 'system' as const, content: parameters.system }]),
    ...messages.map(({ role, content }) => ({ role, content })),
  ],
})

async function* streamAnswer(
  gateway: GatewayClient,
  body: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  const reply = await gateway.createChatCompletion({ body, signal })
  if (!reply.ok) throw new RefusalError(reply)
  if (reply.kind !== 'events') {
    yield { content: reply.body.choices[0]?.message.content ?? '', ...noteOf(reply.body.usage) }
    return
  }
  for await (const { choices, usage } of reply.body) {
    yield { content: choices[0]?.delta.content ?? '', ...noteOf(usage) }
  }
}

const noteOf = (
  usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | null | undefined,
): AnswerPart =>
  usage ? { note: `${formatNumber(usage.prompt_tokens)} tokens in, ${formatNumber(usage.completion_tokens)} out` } : {}
