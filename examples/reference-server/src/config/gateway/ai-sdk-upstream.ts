import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AiSdkProviderOptions, aiSdkProvider } from '@trivium/ai-sdk-provider'
import type { Provider } from '@trivium/gateway-core/ports'
import type { Path } from '../read/mistakes.ts'
import type { AiSdkUpstream } from '../schema/upstreams.ts'
import { MistakenPart } from './mistaken-part.ts'
import { isPlain } from './upstream-rules-of.ts'

/** A provider of the AI SDK. Each method returns a model, which is checked by its calls. */
type SdkProvider = Readonly<Record<string, unknown>>

type Models<List extends keyof AiSdkProviderOptions> = NonNullable<AiSdkProviderOptions[List]>

/**
 * Loads a provider from a package that the operator has installed: from the directory of the file, else from that of the
 * server.
 *
 * @throws MistakenPart (rejects) where the package, or the function in it, does not exist or fails
 */
export async function aiSdkUpstream(upstream: AiSdkUpstream, path: Path, directory: string): Promise<Provider> {
  const sdk = await createSdk(upstream, path, directory)
  const { id, models = [], image_models, embedding_models, speech_models, transcription_models } = upstream
  const modelsFrom = <Model>(methods: readonly string[], key: string, ids: readonly string[] | undefined) =>
    Object.fromEntries(
      (ids ?? []).map((model, index) => [model, modelOf<Model>(sdk, methods, model, [...path, key, index])]),
    )
  const plain = models.filter(isPlain)
  return aiSdkProvider({
    id,
    languageModels: modelsFrom<Models<'languageModels'>[string]>(['languageModel'], 'models', plain),
    ...(plain.length < models.length && {
      languageModel: (model) =>
        modelOf<Models<'languageModels'>[string]>(sdk, ['languageModel'], model, [...path, 'models']),
    }),
    imageModels: modelsFrom<Models<'imageModels'>[string]>(['imageModel', 'image'], 'image_models', image_models),
    embeddingModels: modelsFrom<Models<'embeddingModels'>[string]>(
      ['embeddingModel', 'textEmbeddingModel'],
      'embedding_models',
      embedding_models,
    ),
    speechModels: modelsFrom<Models<'speechModels'>[string]>(['speechModel', 'speech'], 'speech_models', speech_models),
    transcriptionModels: modelsFrom<Models<'transcriptionModels'>[string]>(
      ['transcriptionModel', 'transcription'],
      'transcription_models',
      transcription_models,
    ),
  })
}

/** What packages need to report the usage of streams. */
const defaultOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '@ai-sdk/openai-compatible': { includeUsage: true },
}

async function createSdk(upstream: AiSdkUpstream, path: Path, directory: string): Promise<SdkProvider> {
  const { package: name } = upstream
  const options = { ...defaultOptions[name], ...upstream.options }
  const exports = await load(name, path, directory)
  const factory = upstream.export ?? factoryName(name, exports)
  if (factory === undefined) {
    const message = `has no single function that begins with create. Name it in export`
    throw new MistakenPart({ path: [...path, 'package'], message })
  }
  const create = exports[factory]
  if (typeof create !== 'function') {
    const message = `is not a function of "${name}"`
    throw new MistakenPart({ path: [...path, upstream.export === undefined ? 'package' : 'export'], message })
  }
  const sdk: unknown = await attempt(() => create(options), [...path, 'options'], `is refused by ${factory}`)
  if ((typeof sdk === 'object' || typeof sdk === 'function') && sdk !== null) return sdk as SdkProvider // its methods are checked
  throw new MistakenPart({ path: [...path, 'package'], message: `has a ${factory} that returns no provider` })
}

/** The function of a package that creates its provider: `createAzure` of `@ai-sdk/azure`, or the only one. */
export function factoryName(name: string, exports: Readonly<Record<string, unknown>>): string | undefined {
  const found = Object.keys(exports).filter((key) => /^create[A-Z]/.test(key) && typeof exports[key] === 'function')
  const wanted = `create${lettersOf(name.slice(name.lastIndexOf('/') + 1))}`
  const [exact] = found.filter((key) => key.toLowerCase() === wanted)
  const begun = found.filter((key) => key.toLowerCase().startsWith(wanted))
  return exact ?? (begun.length === 1 ? begun[0] : found.length === 1 ? found[0] : undefined)
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

async function load(name: string, path: Path, directory: string): Promise<SdkProvider> {
  const resolved = resolveFrom(join(directory, 'package.json'), name) ?? resolveFrom(import.meta.filename, name)
  if (resolved === undefined) {
    const root = name.split('/', name.startsWith('@') ? 2 : 1).join('/')
    const message = 'is not installed. Install it beside this file or the server'
    const inDetail = () => `"${name}" ${message} with: npm install ${root}`
    throw new MistakenPart({ path: [...path, 'package'], message, inDetail })
  }
  const loaded: unknown = await attempt(
    () => import(pathToFileURL(resolved).href),
    [...path, 'package'],
    `"${name}" cannot be loaded`,
  )
  return isExports(loaded) ? loaded : {}
}

const isExports = (value: unknown): value is SdkProvider => typeof value === 'object' && value !== null

function resolveFrom(file: string, name: string): string | undefined {
  try {
    return createRequire(file).resolve(name)
  } catch {
    return undefined
  }
}

function modelOf<Model>(sdk: SdkProvider, methods: readonly string[], id: string, path: Path): Model {
  for (const name of methods) {
    const method = sdk[name]
    // The interface of the AI SDK states what these methods return.
    if (typeof method === 'function') return method.call(sdk, id) as Model
  }
  throw new MistakenPart({ path, message: `has no method ${methods[0]} in its package` })
}

/** Runs code of the package. Its messages may contain options, and are left out. */
async function attempt<Value>(run: () => Value | Promise<Value>, path: Path, message: string): Promise<Value> {
  try {
    return await run()
  } catch (error) {
    throw new MistakenPart({ path, message: `${message} (${error instanceof Error ? error.name : 'a fault'})` })
  }
}
