import type { Provider } from '@trivium/gateway-core/ports'
import type { ConfigFile } from '../config-file.ts'
import type { AnthropicUpstream, OpenAiUpstream, Upstream } from '../schema/upstreams.ts'
import { aiSdkUpstream } from './ai-sdk-upstream.ts'
import { plainModels } from './upstream-rules-of.ts'

/**
 * Loads the upstreams of the file.
 *
 * @throws MistakenPart (rejects) where a package cannot be loaded
 */
export async function providersOf({ sections, directory }: ConfigFile): Promise<readonly Provider[]> {
  const providers: Provider[] = []
  for (const [index, upstream] of (sections.upstreams ?? []).entries()) {
    providers.push(await providerOf(upstream, ['upstreams', index], directory))
  }
  return providers
}

async function providerOf(
  upstream: Upstream,
  path: readonly (string | number)[],
  directory: string,
): Promise<Provider> {
  switch (upstream.kind) {
    case 'openai':
      return openAi(upstream)
    case 'anthropic':
      return anthropic(upstream)
    case 'ai-sdk':
      return aiSdkUpstream(upstream, path, directory)
    case 'local': {
      const { localProvider } = await import('@trivium/local-provider')
      return localProvider({ id: upstream.id })
    }
  }
}

async function openAi(upstream: OpenAiUpstream): Promise<Provider> {
  const { openAiProvider } = await import('@trivium/openai-provider')
  const { id, base_url, api_key, headers, dialects, endpoints, stream_usage, custom_tools, image_origins } = upstream
  const models = plainModels(upstream.models)
  return openAiProvider({
    id,
    baseUrl: base_url,
    ...(api_key !== undefined && { apiKey: api_key }),
    ...(headers && { headers: inLowerCase(headers) }),
    ...(models && { models }),
    ...(dialects && { dialects }),
    ...(endpoints && { endpoints }),
    ...(stream_usage !== undefined && { asksStreamUsage: stream_usage }),
    ...(custom_tools !== undefined && { customTools: custom_tools }),
    ...(upstream.output_limit && { outputLimit: upstream.output_limit }),
    ...(image_origins && { imageOrigins: image_origins }),
    ...(upstream.max_answer_bytes !== undefined && { maxAnswerBytes: upstream.max_answer_bytes }),
  })
}

async function anthropic(upstream: AnthropicUpstream): Promise<Provider> {
  const { anthropicProvider } = await import('@trivium/anthropic-provider')
  const { id, base_url, api_key, headers, default_max_tokens, reasoning, cache_breakpoints, max_answer_bytes } =
    upstream
  const models = plainModels(upstream.models)
  return anthropicProvider({
    id,
    ...(base_url !== undefined && { baseUrl: base_url }),
    ...(api_key !== undefined && { apiKey: api_key }),
    ...(headers && { headers: inLowerCase(headers) }),
    ...(models && { models }),
    ...(default_max_tokens !== undefined && { defaultMaxTokens: default_max_tokens }),
    ...(reasoning && { reasoning }),
    ...(cache_breakpoints !== undefined && { cacheBreakpoints: cache_breakpoints }),
    ...(max_answer_bytes !== undefined && { maxAnswerBytes: max_answer_bytes }),
  })
}

/** Headers of a provider replace those of the same name, which are in lower case. */
const inLowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
