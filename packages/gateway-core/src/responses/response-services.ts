import type { Responses as StatelessResponses } from '../dialects/responses/responses.ts'
import type { GatewayRepositories } from '../gateway-repositories.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import { type BackgroundParts, createBackgroundResponses } from './background-responses.ts'
import { absentConversations, type Conversations, createConversations } from './conversations.ts'
import { createEventReplays } from './event-replays.ts'
import { createResponseStore } from './response-store.ts'
import { createResponses, type Responses } from './responses.ts'
import { type ResponsesOptions, stateBounds } from './responses-options.ts'
import { createStoredResponses, type StoredResponses } from './stored-responses.ts'

export interface ResponseServicesParts extends Pick<BackgroundParts, 'now' | 'onAdmitted' | 'onFault'> {
  readonly repositories: Pick<GatewayRepositories, 'responses' | 'conversations'>
  readonly answering: StatelessResponses
  readonly calls: Pick<ModelCalls, 'admit'>
  readonly keepAliveSeconds: number
}

/** The services of responses, which share their store. */
export interface ResponseServices {
  readonly responses: Responses
  readonly storedResponses: StoredResponses
  readonly conversations: Conversations
  /** Resolves once no response runs in the background. */
  readonly idle: () => Promise<void>
  /** Ends the responses in the background. */
  readonly close: () => Promise<void>
}

/** @throws RangeError for an option that is out of its range */
export function createResponseServices(
  options: ResponsesOptions | false,
  { repositories, answering, calls, keepAliveSeconds, now, onAdmitted, onFault }: ResponseServicesParts,
): ResponseServices {
  const bounds = stateBounds(options === false ? {} : options)
  const isStored = options !== false && repositories.responses !== undefined && repositories.conversations !== undefined
  const responses = isStored ? repositories.responses : undefined
  const repository = isStored ? repositories.conversations : undefined
  const store = responses && createResponseStore({ repository: responses, bounds, now })
  const parts = { store, repository, bounds, now, answering, onFault }
  const replays = createEventReplays({
    maxBytes: bounds.maxEventBytes,
    maxAllBytes: bounds.maxAllEventBytes,
    keepAliveMs: keepAliveSeconds * 1_000,
  })
  const background = store && createBackgroundResponses({ ...parts, store, responses, onAdmitted, replays })
  return {
    responses: createResponses({ ...parts, calls, background }),
    storedResponses: createStoredResponses({ store, repository: responses, now, background }),
    conversations: repository ? createConversations({ repository, bounds, now }) : absentConversations,
    idle: async () => background?.idle(),
    close: async () => background?.close(),
  }
}
