import type { Client } from './client.ts'
import { sdkClient } from './sdk-client.ts'

const BASE_URL = '`baseURL` with `/v1`, and `apiKey`'

/** The SDKs, whose checks are in `projects`. */
export const sdks: readonly Client[] = [
  sdkClient({ name: 'openai', title: 'OpenAI SDK', packages: ['openai'], pointing: BASE_URL }),
  sdkClient({
    ...{ name: 'anthropic', title: 'Anthropic SDK', packages: ['@anthropic-ai/sdk'] },
    pointing: '`baseURL` without `/v1`, and `apiKey` or `authToken`',
  }),
  sdkClient({
    ...{ name: 'ai-sdk', title: 'AI SDK' },
    packages: ['ai', '@ai-sdk/openai', '@ai-sdk/anthropic', '@ai-sdk/mistral', '@ai-sdk/openai-compatible'],
    pointing: 'The `create…` function of each provider: `baseURL` with `/v1`, and `apiKey`',
  }),
  sdkClient({
    ...{ name: 'langchain', title: 'LangChain', packages: ['@langchain/openai', '@langchain/anthropic'] },
    pointing: '`configuration: { baseURL }` and `apiKey` of `ChatOpenAI`, `anthropicApiUrl` of `ChatAnthropic`',
  }),
  sdkClient({
    ...{ name: 'llamaindex', title: 'LlamaIndex', packages: ['@llamaindex/openai'], pointing: BASE_URL },
  }),
  sdkClient({
    ...{ name: 'openai-agents', title: 'OpenAI Agents', packages: ['@openai/agents'] },
    pointing: '`setDefaultOpenAIClient(new OpenAI({ baseURL, apiKey }))`',
  }),
  sdkClient({
    ...{ name: 'mastra', title: 'Mastra', packages: ['@mastra/core'] },
    pointing: '`model: { id, url, apiKey }` of an agent, with any prefix before the id of the model, `url` with `/v1`',
  }),
  sdkClient({
    ...{ name: 'instructor', title: 'Instructor', packages: ['@instructor-ai/instructor'] },
    pointing: 'the `client` of the OpenAI SDK with `baseURL` and `apiKey`',
  }),
  sdkClient({
    ...{ name: 'continue', title: 'Continue', packages: ['@continuedev/openai-adapters'] },
    pointing: '`apiBase` with `/v1`, and `apiKey`',
  }),
]
