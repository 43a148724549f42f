import { bytes, defineContract, eventStream, jsonOrEvents } from '@trivium/http-contract'
import * as v from 'valibot'
import { isObject } from '../chat/is-object.ts'
import { chatChunkSchema, chatCompletionSchema } from './chat/chat-answer-schema.ts'
import { chatRequestSchema } from './chat/chat-request-schema.ts'
import { completionChunkSchema, completionRequestSchema, textCompletionSchema } from './endpoints/completion-schema.ts'
import { embeddingAnswerSchema, embeddingRequestSchema } from './endpoints/embedding-schema.ts'
import {
  batchIdSchema,
  batchRequestSchema,
  endpointQuerySchema,
  fileIdSchema,
  providerHeadersSchema,
  storedObjectListSchema,
  storedObjectSchema,
} from './endpoints/file-schema.ts'
import { moderationAnswerSchema, moderationRequestSchema } from './endpoints/moderation-schema.ts'
import { rerankAnswerSchema, rerankRequestSchema } from './endpoints/rerank-schema.ts'
import { speechRequestSchema } from './endpoints/speech-schema.ts'
import {
  fileFormSchema,
  imageEditFormSchema,
  imageVariationFormSchema,
  transcriptionFormSchema,
  translationFormSchema,
  UPLOAD_LIMIT,
  uploadQuerySchema,
} from './endpoints/upload-schema.ts'
import { failureResponses } from './errors/failure.ts'
import { healthSchema } from './health/health-schema.ts'
import { imageAnswerSchema, imageEventSchema, imageRequestSchema } from './images/image-schema.ts'
import { imageEventName } from './images/image-stream.ts'
import { callerSchema } from './keys/caller-schema.ts'
import {
  issuedKeySchema,
  keyChangeSchema,
  keyListQuerySchema,
  keyListSchema,
  keyParamsSchema,
  keySchema,
  newKeySchema,
  validationSchema,
} from './keys/key-schema.ts'
import { messageAnswerSchema, messageEventSchema, tokenCountSchema } from './messages/message-answer-schema.ts'
import { messageFailureResponses } from './messages/message-failure.ts'
import { messageRequestSchema, tokenCountRequestSchema } from './messages/message-request-schema.ts'
import { modelAnswerSchema, modelListAnswerSchema, modelListSchema, modelParamsSchema } from './models/model-schema.ts'
import { clientSecretSchema, newClientSecretSchema } from './realtime/client-secret-schema.ts'
import { responseAnswerSchema, responseEventSchema } from './responses/response-answer-schema.ts'
import { responseRequestSchema } from './responses/response-request-schema.ts'
import {
  conversationChangeSchema,
  conversationItemParamsSchema,
  conversationParamsSchema,
  conversationSchema,
  deletedConversationSchema,
  deletedResponseSchema,
  itemListSchema,
  itemQuerySchema,
  itemSchema,
  newConversationSchema,
  newItemsSchema,
  responseParamsSchema,
  responseQuerySchema,
  storedResponseSchema,
} from './responses/stored-response-schema.ts'
import { searchAnswerSchema, searchQuerySchema } from './search/search-schema.ts'
import { usageListSchema, usageQuerySchema } from './usage/usage-schema.ts'

/** Requests of chat completions, responses and messages contain images, audio and documents. */
const CHAT_BODY_LIMIT = 32 * 2 ** 20
/** Agents send thousands of messages, and tools with large schemas. */
const CHAT_BODY_VALUES = 30_000

const nameOf = (event: unknown) => (isObject(event) && typeof event.type === 'string' ? event.type : undefined)
/** 2,048 inputs of text, or 55,000 tokens, which count one each. */
const INPUT_BODY_LIMIT = 8 * 2 ** 20
const INPUT_BODY_VALUES = 60_000

/** Cohere's clients know the second version of its path. */
const rerank = {
  method: 'POST',
  summary: 'Orders documents by their relevance for a query',
  tags: ['Embeddings'],
  body: rerankRequestSchema,
  bodyLimit: INPUT_BODY_LIMIT,
  bodyValues: 30_000,
  responses: { ...failureResponses, 200: rerankAnswerSchema },
} as const

/** The operations of the gateway with their wire schemas, for `implement`, clients and the OpenAPI document. */
export const gatewayContract = defineContract({
  createChatCompletion: {
    method: 'POST',
    path: '/v1/chat/completions',
    summary: 'Creates a model response for a conversation, complete or as server-sent events',
    tags: ['Chat'],
    body: chatRequestSchema,
    bodyLimit: CHAT_BODY_LIMIT,
    bodyValues: CHAT_BODY_VALUES,
    responses: {
      ...failureResponses,
      200: jsonOrEvents(chatCompletionSchema, eventStream(chatChunkSchema, { sentinel: '[DONE]' })),
    },
  },
  createResponse: {
    method: 'POST',
    path: '/v1/responses',
    summary: 'Creates a model response from input items, complete or as server-sent events',
    tags: ['Responses'],
    body: responseRequestSchema,
    bodyLimit: CHAT_BODY_LIMIT,
    bodyValues: CHAT_BODY_VALUES,
    responses: {
      ...failureResponses,
      200: jsonOrEvents(responseAnswerSchema, eventStream(responseEventSchema, { eventName: nameOf })),
    },
  },
  createMessage: {
    method: 'POST',
    path: '/v1/messages',
    summary: 'Creates the next message of a conversation, complete or as server-sent events',
    tags: ['Messages'],
    body: messageRequestSchema,
    bodyLimit: CHAT_BODY_LIMIT,
    bodyValues: CHAT_BODY_VALUES,
    responses: {
      ...messageFailureResponses,
      200: jsonOrEvents(messageAnswerSchema, eventStream(messageEventSchema, { eventName: nameOf })),
    },
  },
  countMessageTokens: {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    summary: 'Counts the input tokens of a request for a message',
    tags: ['Messages'],
    body: tokenCountRequestSchema,
    bodyLimit: CHAT_BODY_LIMIT,
    bodyValues: CHAT_BODY_VALUES,
    responses: { ...messageFailureResponses, 200: tokenCountSchema },
  },
  getResponse: {
    method: 'GET',
    path: '/v1/responses/{response_id}',
    summary: 'Reads a stored response, which may still run in the background, complete or as server-sent events',
    tags: ['Responses'],
    params: responseParamsSchema,
    query: responseQuerySchema,
    responses: {
      ...failureResponses,
      200: jsonOrEvents(storedResponseSchema, eventStream(responseEventSchema, { eventName: nameOf })),
    },
  },
  deleteResponse: {
    method: 'DELETE',
    path: '/v1/responses/{response_id}',
    summary: 'Deletes a stored response',
    tags: ['Responses'],
    params: responseParamsSchema,
    responses: { ...failureResponses, 200: deletedResponseSchema },
  },
  cancelResponse: {
    method: 'POST',
    path: '/v1/responses/{response_id}/cancel',
    summary: 'Cancels a response that runs in the background',
    tags: ['Responses'],
    params: responseParamsSchema,
    responses: { ...failureResponses, 200: storedResponseSchema },
  },
  listResponseInputItems: {
    method: 'GET',
    path: '/v1/responses/{response_id}/input_items',
    summary: 'Lists the input items of a stored response, without those of earlier turns',
    tags: ['Responses'],
    params: responseParamsSchema,
    query: itemQuerySchema,
    responses: { ...failureResponses, 200: itemListSchema },
  },
  createConversation: {
    method: 'POST',
    path: '/v1/conversations',
    summary: 'Creates a conversation, to which responses add their items',
    tags: ['Conversations'],
    body: newConversationSchema,
    bodyLimit: CHAT_BODY_LIMIT,
    responses: { ...failureResponses, 200: conversationSchema },
  },
  getConversation: {
    method: 'GET',
    path: '/v1/conversations/{conversation_id}',
    summary: 'Reads a conversation',
    tags: ['Conversations'],
    params: conversationParamsSchema,
    responses: { ...failureResponses, 200: conversationSchema },
  },
  changeConversation: {
    method: 'POST',
    path: '/v1/conversations/{conversation_id}',
    summary: 'Replaces the metadata of a conversation',
    tags: ['Conversations'],
    params: conversationParamsSchema,
    body: conversationChangeSchema,
    responses: { ...failureResponses, 200: conversationSchema },
  },
  deleteConversation: {
    method: 'DELETE',
    path: '/v1/conversations/{conversation_id}',
    summary: 'Deletes a conversation with its items',
    tags: ['Conversations'],
    params: conversationParamsSchema,
    responses: { ...failureResponses, 200: deletedConversationSchema },
  },
  createConversationItems: {
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/items',
    summary: 'Adds items to a conversation',
    tags: ['Conversations'],
    params: conversationParamsSchema,
    body: newItemsSchema,
    bodyLimit: CHAT_BODY_LIMIT,
    responses: { ...failureResponses, 200: itemListSchema },
  },
  listConversationItems: {
    method: 'GET',
    path: '/v1/conversations/{conversation_id}/items',
    summary: 'Lists the items of a conversation',
    tags: ['Conversations'],
    params: conversationParamsSchema,
    query: itemQuerySchema,
    responses: { ...failureResponses, 200: itemListSchema },
  },
  getConversationItem: {
    method: 'GET',
    path: '/v1/conversations/{conversation_id}/items/{item_id}',
    summary: 'Reads an item of a conversation',
    tags: ['Conversations'],
    params: conversationItemParamsSchema,
    responses: { ...failureResponses, 200: itemSchema },
  },
  deleteConversationItem: {
    method: 'DELETE',
    path: '/v1/conversations/{conversation_id}/items/{item_id}',
    summary: 'Deletes an item of a conversation',
    tags: ['Conversations'],
    params: conversationItemParamsSchema,
    responses: { ...failureResponses, 200: conversationSchema },
  },
  createCompletion: {
    method: 'POST',
    path: '/v1/completions',
    summary: 'Completes a text, whole or as server-sent events',
    tags: ['Completions'],
    body: completionRequestSchema,
    bodyLimit: INPUT_BODY_LIMIT,
    bodyValues: CHAT_BODY_VALUES,
    responses: {
      ...failureResponses,
      200: jsonOrEvents(textCompletionSchema, eventStream(completionChunkSchema, { sentinel: '[DONE]' })),
    },
  },
  createEmbedding: {
    method: 'POST',
    path: '/v1/embeddings',
    summary: 'Creates embeddings of texts',
    tags: ['Embeddings'],
    body: embeddingRequestSchema,
    bodyLimit: INPUT_BODY_LIMIT,
    bodyValues: INPUT_BODY_VALUES,
    responses: { ...failureResponses, 200: embeddingAnswerSchema },
  },
  createRerank: { ...rerank, path: '/v1/rerank' },
  createRerankV2: { ...rerank, path: '/v2/rerank' },
  createModeration: {
    method: 'POST',
    path: '/v1/moderations',
    summary: 'Classifies whether texts and images are harmful',
    tags: ['Moderations'],
    body: moderationRequestSchema,
    bodyLimit: INPUT_BODY_LIMIT,
    responses: { ...failureResponses, 200: moderationAnswerSchema },
  },
  createSpeech: {
    method: 'POST',
    path: '/v1/audio/speech',
    summary: 'Creates speech from a text, sent as it arrives',
    tags: ['Audio'],
    body: speechRequestSchema,
    responses: {
      ...failureResponses,
      200: bytes('audio/mpeg', 'audio/wav', 'audio/opus', 'audio/aac', 'audio/flac', 'audio/pcm', 'text/event-stream'),
    },
  },
  createTranscription: {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    summary: 'Transcribes audio, which is sent to the upstream as it arrives',
    tags: ['Audio'],
    query: uploadQuerySchema,
    upload: transcriptionFormSchema,
    bodyLimit: UPLOAD_LIMIT,
    responses: {
      ...failureResponses,
      200: bytes('application/json', 'text/plain', 'text/vtt', 'application/x-subrip', 'text/event-stream'),
    },
  },
  createTranslation: {
    method: 'POST',
    path: '/v1/audio/translations',
    summary: 'Translates audio to English, which is sent to the upstream as it arrives',
    tags: ['Audio'],
    query: uploadQuerySchema,
    upload: translationFormSchema,
    bodyLimit: UPLOAD_LIMIT,
    responses: {
      ...failureResponses,
      200: bytes('application/json', 'text/plain', 'text/vtt', 'application/x-subrip', 'text/event-stream'),
    },
  },
  editImage: {
    method: 'POST',
    path: '/v1/images/edits',
    summary: 'Edits images, which are sent to the upstream as they arrive',
    description: 'Takes a form, or JSON with the addresses or file ids of the images.',
    tags: ['Images'],
    query: uploadQuerySchema,
    upload: imageEditFormSchema,
    bodyLimit: UPLOAD_LIMIT,
    responses: { ...failureResponses, 200: bytes('application/json', 'text/event-stream') },
  },
  createImageVariation: {
    method: 'POST',
    path: '/v1/images/variations',
    summary: 'Creates variations of an image, which is sent to the upstream as it arrives',
    tags: ['Images'],
    query: uploadQuerySchema,
    upload: imageVariationFormSchema,
    bodyLimit: UPLOAD_LIMIT,
    responses: { ...failureResponses, 200: bytes('application/json') },
  },
  uploadFile: {
    method: 'POST',
    path: '/v1/files',
    summary: 'Uploads a file to a provider, as it arrives',
    tags: ['Files'],
    query: endpointQuerySchema,
    headers: providerHeadersSchema,
    upload: fileFormSchema,
    bodyLimit: UPLOAD_LIMIT,
    responses: { ...failureResponses, 200: storedObjectSchema },
  },
  listFiles: {
    method: 'GET',
    path: '/v1/files',
    summary: 'Lists the files of a provider',
    tags: ['Files'],
    query: endpointQuerySchema,
    headers: providerHeadersSchema,
    responses: { ...failureResponses, 200: storedObjectListSchema },
  },
  getFile: {
    method: 'GET',
    path: '/v1/files/{file_id}',
    summary: 'Reads the facts of a file of a provider',
    tags: ['Files'],
    params: fileIdSchema,
    query: endpointQuerySchema,
    headers: providerHeadersSchema,
    responses: { ...failureResponses, 200: storedObjectSchema },
  },
  getFileContent: {
    method: 'GET',
    path: '/v1/files/{file_id}/content',
    summary: 'Reads the content of a file of a provider, sent as it arrives',
    tags: ['Files'],
    params: fileIdSchema,
    query: endpointQuerySchema,
    headers: providerHeadersSchema,
    responses: { ...failureResponses, 200: bytes('application/octet-stream') },
  },
  deleteFile: {
    method: 'DELETE',
    path: '/v1/files/{file_id}',
    summary: 'Deletes a file of a provider',
    tags: ['Files'],
    params: fileIdSchema,
    query: endpointQuerySchema,
    headers: providerHeadersSchema,
    responses: { ...failureResponses, 200: storedObjectSchema },
  },
  createBatch: {
    method: 'POST',
    path: '/v1/batches',
    summary: 'Starts a batch of requests at a provider',
    tags: ['Batches'],
    query: endpointQuerySchema,
    headers: providerHeadersSchema,
    body: batchRequestSchema,
    responses: { ...failureResponses, 200: storedObjectSchema },
  },
  listBatches: {
    method: 'GET',
    path: '/v1/batches',
    summary: 'Lists the batches of a provider',
    tags: ['Batches'],
    query: endpointQuerySchema,
    headers: providerHeadersSchema,
    responses: { ...failureResponses, 200: storedObjectListSchema },
  },
  getBatch: {
    method: 'GET',
    path: '/v1/batches/{batch_id}',
    summary: 'Reads a batch of a provider',
    tags: ['Batches'],
    params: batchIdSchema,
    query: endpointQuerySchema,
    headers: providerHeadersSchema,
    responses: { ...failureResponses, 200: storedObjectSchema },
  },
  cancelBatch: {
    method: 'POST',
    path: '/v1/batches/{batch_id}/cancel',
    summary: 'Cancels a batch of a provider',
    tags: ['Batches'],
    params: batchIdSchema,
    query: endpointQuerySchema,
    headers: providerHeadersSchema,
    responses: { ...failureResponses, 200: storedObjectSchema },
  },
  createImage: {
    method: 'POST',
    path: '/v1/images/generations',
    summary: 'Creates images from a text prompt',
    tags: ['Images'],
    body: imageRequestSchema,
    responses: {
      ...failureResponses,
      200: jsonOrEvents(imageAnswerSchema, eventStream(imageEventSchema, { eventName: imageEventName })),
    },
  },
  getImageFile: {
    method: 'GET',
    path: '/v1/images/files/{image_id}',
    summary: 'Reads a stored image by its unguessable id, until it expires',
    tags: ['Images'],
    params: v.object({ image_id: v.pipe(v.string(), v.maxLength(64)) }),
    responses: { ...failureResponses, 200: bytes('image/png') },
  },
  listModels: {
    method: 'GET',
    path: '/v1/models',
    summary: 'Lists the models',
    description: "A request with `anthropic-version` gets the form of Anthropic's interface.",
    tags: ['Models'],
    responses: { ...failureResponses, 200: modelListAnswerSchema },
  },
  getModel: {
    method: 'GET',
    path: '/v1/models/{model+}',
    summary: 'Reads a model, whose id may contain slashes, encoded or not',
    tags: ['Models'],
    params: modelParamsSchema,
    responses: { ...failureResponses, 200: modelAnswerSchema },
  },
  listImageModels: {
    method: 'GET',
    path: '/v1/TTI/models',
    summary: 'Lists the text-to-image models',
    tags: ['Models'],
    responses: { ...failureResponses, 200: modelListSchema },
  },
  generateKey: {
    method: 'POST',
    path: '/v1/auth/generate-key',
    summary: 'Creates an API key and returns its secret, which cannot be read again',
    tags: ['API keys'],
    body: newKeySchema,
    responses: { ...failureResponses, 200: issuedKeySchema },
  },
  validateKey: {
    method: 'GET',
    path: '/v1/auth/validate',
    summary: 'Validates the presented API key and reports its usage and limits, without counting the request',
    tags: ['API keys'],
    responses: { ...failureResponses, 200: validationSchema },
  },
  getCaller: {
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'Reports the caller, its limits and what is left of them, without counting the request',
    tags: ['API keys'],
    responses: { ...failureResponses, 200: callerSchema },
  },
  listKeys: {
    method: 'GET',
    path: '/v1/auth/keys',
    summary: 'Lists API keys by creation',
    tags: ['API keys'],
    query: keyListQuerySchema,
    responses: { ...failureResponses, 200: keyListSchema },
  },
  getKey: {
    method: 'GET',
    path: '/v1/auth/keys/{key_id}',
    summary: 'Reads an API key',
    tags: ['API keys'],
    params: keyParamsSchema,
    responses: { ...failureResponses, 200: keySchema },
  },
  changeKey: {
    method: 'PATCH',
    path: '/v1/auth/keys/{key_id}',
    summary: 'Renames an API key or changes its limits',
    tags: ['API keys'],
    params: keyParamsSchema,
    body: keyChangeSchema,
    responses: { ...failureResponses, 200: keySchema },
  },
  rotateKey: {
    method: 'POST',
    path: '/v1/auth/keys/{key_id}/rotate',
    summary: 'Replaces the secret of an API key, and invalidates the old one immediately',
    tags: ['API keys'],
    params: keyParamsSchema,
    responses: { ...failureResponses, 200: issuedKeySchema },
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/auth/keys/{key_id}',
    summary: 'Revokes an API key permanently, and keeps it in lists',
    tags: ['API keys'],
    params: keyParamsSchema,
    responses: { ...failureResponses, 200: keySchema },
  },
  getUsage: {
    method: 'GET',
    path: '/v1/usage',
    summary: 'Reports the usage of the caller, or of all keys and users to the admin, without counting the request',
    tags: ['Usage'],
    query: usageQuerySchema,
    responses: { ...failureResponses, 200: usageListSchema },
  },
  search: {
    method: 'GET',
    path: '/search',
    summary: 'Searches the web',
    tags: ['Search'],
    query: searchQuerySchema,
    responses: { ...failureResponses, 200: searchAnswerSchema },
  },
  createClientSecret: {
    method: 'POST',
    path: '/v1/realtime/client_secrets',
    summary: 'Creates a secret that opens realtime sessions in place of the API key, until it expires',
    tags: ['Realtime'],
    body: newClientSecretSchema,
    responses: { ...failureResponses, 200: clientSecretSchema },
  },
  getHealth: {
    method: 'GET',
    path: '/health',
    summary: 'Reports the health of the gateway and its components',
    tags: ['Health'],
    responses: { ...failureResponses, 200: healthSchema, 503: healthSchema },
  },
})

export type GatewayContract = typeof gatewayContract
/** The id of an operation in access rules. */
export type GatewayOperation = keyof GatewayContract
