/** How a provider of LiteLLM is reached by the gateway. */
export type ProviderFacts = OpenAiFacts | AnthropicFacts | PackageFacts

/** A provider with OpenAI's interface. */
export interface OpenAiFacts {
  readonly kind: 'openai'
  /** The default address. `undefined`: LiteLLM requires `api_base`. */
  readonly baseUrl?: string
  /** The variable from which LiteLLM reads a key that the file does not set. */
  readonly keyVariable?: string
  /** Whether the key is sent only if the file sets it, as for servers on the operator's own machines. */
  readonly isKeyOptional?: boolean
  /** What follows an `api_base` of LiteLLM. @default '' */
  readonly suffix?: string
}

interface AnthropicFacts {
  readonly kind: 'anthropic'
  readonly keyVariable: string
}

/** A provider of which the AI SDK has a package. */
interface PackageFacts {
  readonly kind: 'ai-sdk'
  readonly package: string
  readonly keyVariable?: string
}

const openAi = (baseUrl: string, keyVariable: string): OpenAiFacts => ({ kind: 'openai', baseUrl, keyVariable })
const local = (suffix: string, baseUrl?: string): OpenAiFacts => ({
  kind: 'openai',
  isKeyOptional: true,
  suffix,
  ...(baseUrl === undefined ? {} : { baseUrl }),
})

/** By the prefix of `litellm_params.model`. */
const providers: Readonly<Record<string, ProviderFacts>> = {
  openai: openAi('https://api.openai.com/v1', 'OPENAI_API_KEY'),
  'text-completion-openai': openAi('https://api.openai.com/v1', 'OPENAI_API_KEY'),
  custom_openai: { kind: 'openai', isKeyOptional: true },
  openai_like: { kind: 'openai', isKeyOptional: true },
  azure: { kind: 'openai', keyVariable: 'AZURE_API_KEY' },
  azure_text: { kind: 'openai', keyVariable: 'AZURE_API_KEY' },
  azure_ai: { kind: 'openai', keyVariable: 'AZURE_AI_API_KEY' },
  anthropic: { kind: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY' },
  gemini: { kind: 'ai-sdk', package: '@ai-sdk/google', keyVariable: 'GEMINI_API_KEY' },
  vertex_ai: { kind: 'ai-sdk', package: '@ai-sdk/google-vertex' },
  vertex_ai_beta: { kind: 'ai-sdk', package: '@ai-sdk/google-vertex' },
  bedrock: { kind: 'ai-sdk', package: '@ai-sdk/amazon-bedrock' },
  bedrock_converse: { kind: 'ai-sdk', package: '@ai-sdk/amazon-bedrock' },
  ollama: local('/v1', 'http://127.0.0.1:11434/v1'),
  ollama_chat: local('/v1', 'http://127.0.0.1:11434/v1'),
  hosted_vllm: local(''),
  vllm: local(''),
  lm_studio: local(''),
  llamafile: local('', 'http://127.0.0.1:8080/v1'),
  xinference: local(''),
  infinity: local(''),
  docker_model_runner: local(''),
  litellm_proxy: local(''),
  ai21: openAi('https://api.ai21.com/studio/v1', 'AI21_API_KEY'),
  ai21_chat: openAi('https://api.ai21.com/studio/v1', 'AI21_API_KEY'),
  aiml: openAi('https://api.aimlapi.com/v1', 'AIML_API_KEY'),
  cerebras: openAi('https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  codestral: openAi('https://codestral.mistral.ai/v1', 'CODESTRAL_API_KEY'),
  cohere: openAi('https://api.cohere.ai/compatibility/v1', 'COHERE_API_KEY'),
  cohere_chat: openAi('https://api.cohere.ai/compatibility/v1', 'COHERE_API_KEY'),
  dashscope: openAi('https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'DASHSCOPE_API_KEY'),
  databricks: { kind: 'openai', keyVariable: 'DATABRICKS_API_KEY' },
  deepinfra: openAi('https://api.deepinfra.com/v1/openai', 'DEEPINFRA_API_KEY'),
  deepseek: openAi('https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  featherless_ai: openAi('https://api.featherless.ai/v1', 'FEATHERLESS_AI_API_KEY'),
  fireworks_ai: openAi('https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  friendliai: openAi('https://api.friendli.ai/serverless/v1', 'FRIENDLI_TOKEN'),
  github: openAi('https://models.github.ai/inference', 'GITHUB_API_KEY'),
  groq: openAi('https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  huggingface: openAi('https://router.huggingface.co/v1', 'HUGGINGFACE_API_KEY'),
  hyperbolic: openAi('https://api.hyperbolic.xyz/v1', 'HYPERBOLIC_API_KEY'),
  jina_ai: openAi('https://api.jina.ai/v1', 'JINA_AI_API_KEY'),
  lambda_ai: openAi('https://api.lambda.ai/v1', 'LAMBDA_API_KEY'),
  meta_llama: openAi('https://api.llama.com/compat/v1', 'LLAMA_API_KEY'),
  mistral: openAi('https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  moonshot: openAi('https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  nebius: openAi('https://api.studio.nebius.ai/v1', 'NEBIUS_API_KEY'),
  novita: openAi('https://api.novita.ai/v3/openai', 'NOVITA_API_KEY'),
  nvidia_nim: openAi('https://integrate.api.nvidia.com/v1', 'NVIDIA_NIM_API_KEY'),
  openrouter: openAi('https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  perplexity: openAi('https://api.perplexity.ai', 'PERPLEXITYAI_API_KEY'),
  sambanova: openAi('https://api.sambanova.ai/v1', 'SAMBANOVA_API_KEY'),
  together_ai: openAi('https://api.together.xyz/v1', 'TOGETHERAI_API_KEY'),
  voyage: openAi('https://api.voyageai.com/v1', 'VOYAGE_API_KEY'),
  xai: openAi('https://api.x.ai/v1', 'XAI_API_KEY'),
}

export const factsOf = (provider: string): ProviderFacts | undefined =>
  Object.hasOwn(providers, provider) ? providers[provider] : undefined

/** Models that LiteLLM recognises without a prefix. */
const bare: readonly (readonly [provider: string, pattern: RegExp])[] = [
  [
    'openai',
    /^(?:gpt-|chatgpt-|o[1-9]|ft:|text-embedding-|dall-e-|whisper-|tts-|omni-moderation|text-moderation|davinci|babbage|codex-|computer-use)/,
  ],
  ['anthropic', /^claude-/],
  ['vertex_ai', /^gemini-/],
  ['cohere', /^(?:command|embed-|rerank-)/],
  ['deepseek', /^deepseek-/],
  ['mistral', /^(?:mistral-|codestral|open-mi[sx]tral|ministral|magistral|pixtral)/],
  ['xai', /^grok-/],
]

/** The provider of a model without a prefix, as LiteLLM infers it from its list of models. */
export const bareProviderOf = (model: string): string | undefined =>
  bare.find(([, pattern]) => pattern.test(model))?.[0]
