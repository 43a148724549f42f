export type { ModelKind } from './models.ts'
export { modelKindByName } from './models.ts'
export type { OpenAiProviderOptions } from './open-ai-provider.ts'
export { openAiProvider } from './open-ai-provider.ts'
