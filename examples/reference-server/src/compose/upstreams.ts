import { get } from 'node:http'
import type { Provider } from '@trivium/gateway-core/ports'
import type { Configuration } from '../read-settings.ts'
import type { Settings } from '../settings.ts'

const OLLAMA = 'http://127.0.0.1:11434'
const OLLAMA_TIMEOUT_MS = 300

/**
 * Loads the providers that the file and the variables name, and the local models where they name none. An Ollama is looked
 * for where the file has no upstreams.
 */
export async function upstreamsOf({ settings, config }: Configuration): Promise<readonly Provider[]> {
  const named = config && (await import('../config/gateway/providers-of.ts'))
  const providers = [
    ...(named ? await named.providersOf(config) : []),
    ...(await openAi(settings)),
    ...(await anthropic(settings)),
    ...(await ollama(settings, config?.sections.upstreams === undefined)),
  ]
  if (providers.length > 0) return providers
  const { localProvider } = await import('@trivium/local-provider')
  return [localProvider()]
}

/** Returns a model for a first chat where it is known without a list of models. */
export const firstModel = (providers: readonly Provider[]): string | undefined =>
  providers.some(({ id }) => id === 'local') ? 'local/echo-no-llm' : undefined

async function openAi({
  OPENAI_BASE_URL: baseUrl,
  OPENAI_API_KEY: apiKey,
  OPENAI_MODELS: models,
  OPENAI_DIALECTS: dialects,
}: Settings): Promise<readonly Provider[]> {
  if (baseUrl === undefined && apiKey === undefined) return []
  const { openAiProvider } = await import('@trivium/openai-provider')
  return [
    openAiProvider({
      baseUrl: baseUrl ?? 'https://api.openai.com/v1',
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(models === undefined ? {} : { models }),
      ...(dialects === undefined ? {} : { dialects }),
    }),
  ]
}

async function anthropic({
  ANTHROPIC_BASE_URL: baseUrl,
  ANTHROPIC_API_KEY: apiKey,
  ANTHROPIC_MODELS: models,
  ANTHROPIC_CACHE_BREAKPOINTS: cacheBreakpoints,
}: Settings): Promise<readonly Provider[]> {
  if (baseUrl === undefined && apiKey === undefined) return []
  const { anthropicProvider } = await import('@trivium/anthropic-provider')
  return [
    anthropicProvider({
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(models === undefined ? {} : { models }),
      cacheBreakpoints,
    }),
  ]
}

async function ollama({ OLLAMA_HOST: host }: Settings, isLookedFor: boolean): Promise<readonly Provider[]> {
  if (host === undefined && !(isLookedFor && (await answers(`${OLLAMA}/api/version`)))) return []
  const { openAiProvider } = await import('@trivium/openai-provider')
  return [openAiProvider({ id: 'ollama', baseUrl: `${host ?? OLLAMA}/v1` })]
}

/** Whether a server answers with a success. Without `fetch`, which takes 30 ms to load. */
const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    get(url, { agent: false, signal: AbortSignal.timeout(OLLAMA_TIMEOUT_MS) }, (response) => {
      response.destroy()
      resolve(response.statusCode === 200)
    }).on('error', () => resolve(false))
  })
