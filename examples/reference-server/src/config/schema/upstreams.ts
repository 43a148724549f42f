import * as v from 'valibot'
import { choice, described, optional } from './section.ts'
import { ruleSection, rules } from './upstream-rules.ts'
import {
  anyJson,
  flag,
  headerName,
  headerValue,
  httpUrl,
  listOf,
  modelName,
  namedBy,
  oneOf,
  shortId,
  text,
  whole,
} from './values.ts'

/** Each kind of upstream. */
export const upstreamKinds = ['openai', 'anthropic', 'ai-sdk', 'local'] as const

const id = described('The beginning of the ids of its models: id/model.', shortId)

const models = listOf(modelName, 1000)

const common = {
  models: optional(
    'The models that may be used, as its own ids; a * stands for any characters, also of ids that it does not list (all that it lists).',
    models,
  ),
  ...rules,
  model_rules: optional(
    'The same rules for single models, by its own ids with * for any characters. The longest name that matches counts.',
    namedBy(modelName, ruleSection, 1000),
  ),
}

const headers = optional(
  'Headers of every request to it, such as { api-key: $AZURE_API_KEY }.',
  namedBy(headerName, headerValue, 50),
)

const maxAnswerBytes = optional('The most bytes of one answer (134217728).', whole(1, Number.MAX_SAFE_INTEGER))

const kind = <const Kind extends string>(name: Kind) =>
  described(
    'openai: any OpenAI-compatible server; anthropic; ai-sdk: a package of the AI SDK; local: rules in this process.',
    v.literal(name),
  )

const endpoints = [
  'embeddings',
  'completions',
  'moderations',
  'speech',
  'transcriptions',
  'translations',
  'image-generations',
  'image-edits',
  'image-variations',
  'rerank',
  'files',
  'batches',
] as const

const openAi = choice({
  id,
  kind: kind('openai'),
  base_url: described('The URL including its version, such as https://api.openai.com/v1.', httpUrl),
  api_key: optional('Sent as a bearer token, such as $OPENAI_API_KEY.', headerValue),
  headers,
  dialects: optional(
    'What it speaks (both for https://api.openai.com, chat for others).',
    v.pipe(listOf(oneOf(['chat', 'responses']), 2), v.nonEmpty('must name at least one dialect')),
  ),
  endpoints: optional(
    'The endpoints that it has besides conversations and images (all).',
    listOf(oneOf(endpoints), 20),
  ),
  stream_usage: optional('false for an upstream that refuses stream_options (true).', flag),
  custom_tools: optional('Whether its chat completions have custom tools (true for https://api.openai.com).', flag),
  output_limit: optional(
    'The field by which it obeys a limit of output (max_completion_tokens for https://api.openai.com, max_tokens for others).',
    oneOf(['max_tokens', 'max_completion_tokens']),
  ),
  image_origins: optional(
    'Origins from which images are fetched where it answers with URLs (none).',
    listOf(httpUrl, 20),
  ),
  max_answer_bytes: maxAnswerBytes,
  ...common,
})

const anthropic = choice({
  id,
  kind: kind('anthropic'),
  base_url: optional('The URL without a version (https://api.anthropic.com).', httpUrl),
  api_key: optional('Sent as x-api-key, such as $ANTHROPIC_API_KEY.', headerValue),
  headers,
  dialects: optional('What it speaks: messages.', listOf(v.literal('messages', 'must be messages'), 1)),
  default_max_tokens: optional('The limit for requests without one (8192).', whole(1, Number.MAX_SAFE_INTEGER)),
  reasoning: optional('How a reasoning_effort is sent (by the model).', oneOf(['adaptive', 'budget'])),
  cache_breakpoints: optional('Whether requests of other dialects get marks of the prompt cache (false).', flag),
  max_answer_bytes: maxAnswerBytes,
  ...common,
})

/** A package of npm, with or without a scope and a part of it. */
const packageName = v.pipe(
  v.string('must be the name of a package'),
  v.maxLength(214, 'must be the name of a package'),
  v.regex(
    /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/,
    'must be the name of a package such as @ai-sdk/google',
  ),
)

const aiSdk = choice({
  id,
  kind: kind('ai-sdk'),
  package: described(
    'A package of the AI SDK that you have installed beside this file or beside the server, such as @ai-sdk/google.',
    packageName,
  ),
  export: optional(
    'The function of the package that creates the provider (its function create… with the name of the package, or the only one).',
    v.pipe(text, v.regex(/^[A-Za-z_$][\w$]*$/, 'must be the name of a function')),
  ),
  options: optional('What that function gets, such as { apiKey: $GOOGLE_API_KEY }.', namedBy(text, anyJson, 100)),
  dialects: optional('What it speaks: chat.', listOf(v.literal('chat', 'must be chat'), 1)),
  image_models: optional('Its models for images, as its own ids (none).', models),
  embedding_models: optional('Its models for embeddings, as its own ids (none).', models),
  speech_models: optional('Its models for speech, as its own ids (none).', models),
  transcription_models: optional('Its models for transcriptions, as its own ids (none).', models),
  ...common,
})

const local = choice({
  id,
  kind: kind('local'),
  dialects: optional('What it speaks: chat.', listOf(v.literal('chat', 'must be chat'), 1)),
  ...common,
})

const upstream = v.variant('kind', [openAi, anthropic, aiSdk, local], (issue) => {
  if (issue.received === 'undefined') return 'is missing'
  return issue.path?.at(-1)?.key === 'kind'
    ? `must be ${upstreamKinds.slice(0, -1).join(', ')} or local`
    : 'must be an object'
})

export const upstreams = listOf(upstream, 200)

export type Upstream = v.InferOutput<typeof upstream>
export type OpenAiUpstream = v.InferOutput<typeof openAi>
export type AnthropicUpstream = v.InferOutput<typeof anthropic>
export type AiSdkUpstream = v.InferOutput<typeof aiSdk>
