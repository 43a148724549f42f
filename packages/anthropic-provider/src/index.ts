export type { AnthropicProviderOptions } from './anthropic-provider.ts'
export { anthropicProvider } from './anthropic-provider.ts'
export type { Reasoning } from './messages.ts'
