import type { Provider } from '@trivium/gateway-core/ports'
import type { Settings } from '../settings.ts'

const OLLAMA = 'http://127.0.0.1:11434'
const OLLAMA_TIMEOUT_MS = 300

/** Loads the chat and image providers that the settings name, and the local models where they name none. */
export async function upstreamsOf(settings: Settings): Promise<readonly Provider[]> {
  const providers = [...(await openAi(settings)), ...(await anthropic(settings)), ...(await ollama(settings))]
  if (providers.length > 0) return providers
  const { localProvider } = await import('@trivium/local-provider')
  return [localProvider()]
}

/** Returns a model for a first chat without a request to an upstream. */
export function firstModel(settings: Settings, providers: readonly Provider[]): string | undefined {
  const listed = { openai: settings.OPENAI_MODELS, anthropic: settings.ANTHROPIC_MODELS, local: ['echo-no-llm'] }
  return Object.entries(listed)
    .filter(([id]) => providers.some((provider) => provider.id === id))
    .flatMap(([id, models = []]) => models.map((model) => `${id}/${model}`))[0]
}

async function openAi({
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API_KEY: apiKey,
  OPENAI_MODELS: models,
}: Settings): Promise<readonly Provider[]> {
  if (baseUrl === undefined && apiKey === undefined) return []
  const { openAiProvider } = await import('@trivium/openai-provider')
  return [
    openAiProvider({
      baseUrl: baseUrl ?? 'https://api.openai.com/v1',
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(models === undefined ? {} : { models }),
    }),
  ]
}

async function anthropic(settings: Settings): Promise<readonly Provider[]> {
  const { ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_API_KEY: apiKey, ANTHROPIC_MODELS: models } = settings
  if (baseUrl === undefined && apiKey === undefined) return []
  const { anthropicProvider } = await import('@trivium/anthropic-provider')
  return [
    anthropicProvider({
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(models === undefined ? {} : { models }),
    }),
  ]
}

async function ollama({ OLLAMA_HOST: host }: Settings): Promise<readonly Provider[]> {
  if (host === undefined && !(await answers(`${OLLAMA}/api/version`))) return []
  const { openAiProvider } = await import('@trivium/openai-provider')
  return [openAiProvider({ id: 'ollama', baseUrl: `${host ?? OLLAMA}/v1` })]
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(OLLAMA_TIMEOUT_MS) }).then(
    (response) => response.ok,
    () => false,
  )
