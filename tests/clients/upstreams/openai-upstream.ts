import { answerChat } from './chat/answer-chat.ts'
import { mediaOperations } from './media/media-operations.ts'
import { answerResponses } from './responses/answer-responses.ts'
import { sendJson, startUpstream, type Upstream } from './upstream.ts'

const errorBody = (_status: number, message: string) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null },
})

const models = [
  'gpt-5',
  'gpt-5.5',
  'gpt-4o',
  'gpt-image-1',
  'text-embedding-3-small',
  'whisper-1',
  'tts-1',
  'omni-moderation-latest',
  'dall-e-2',
  'rerank-1',
]

/** Starts an upstream with all of OpenAI's interface. */
export const startOpenAiUpstream = (): Promise<Upstream> =>
  startUpstream(
    {
      'POST /v1/chat/completions': answerChat,
      'POST /v1/responses': answerResponses,
      'GET /v1/models': ({ response }) =>
        sendJson(response, {
          object: 'list',
          data: models.map((id) => ({ id, object: 'model', created: 1_763_000_000, owned_by: 'openai' })),
        }),
      ...mediaOperations,
    },
    errorBody,
  )

/** Starts an upstream that has chat completions and nothing else, like many servers of open models. */
export const startChatUpstream = (): Promise<Upstream> =>
  startUpstream({ 'POST /v1/chat/completions': answerChat }, errorBody)
