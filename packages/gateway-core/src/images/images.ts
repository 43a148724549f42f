import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { ClockKnowledge } from '../clock-watch.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import type { Models } from '../models/models.ts'
import type { Provider } from '../providers/provider.ts'
import { isTokenCount } from '../usage/token-count.ts'
import type { GeneratedImage, GeneratedImages, ImageRequest } from './image-request.ts'
import type { ImageId, ImageStore, StoredImage } from './image-store.ts'

/** Why a request for pictures has no answer. */
export type ImageError =
  | ModelCallError
  /** No model was named and there is none to choose. */
  | { readonly type: 'image-model-absent' }
  /** Addresses were asked for and the gateway keeps no pictures. */
  | { readonly type: 'image-store-absent' }

export interface NewImages extends Omit<ImageRequest, 'model'> {
  /** @default the gateway's */
  readonly model?: string
  readonly timeoutSeconds?: number
  /** `stored`: kept for a while, under an id that opens them. */
  readonly delivery: 'stored' | 'inline'
}

export interface CreatedImages {
  readonly createdAt: Date
  readonly provider: string
  readonly images: readonly CreatedImage[]
  readonly usage?: GeneratedImages['usage']
}

export interface CreatedImage extends GeneratedImage {
  /** Present where it is stored. */
  readonly id?: ImageId
}

export interface Images {
  generate(call: GatewayCall, request: NewImages): ResultAsync<CreatedImages, ImageError>
  /** `undefined` where it never was or is no longer. Who knows the id may see the picture. */
  find(id: string): Promise<StoredImage | undefined>
}

/** Which model draws, and how long pictures are kept. */
export interface ImagesOptions {
  /** @default the first image model by id */
  readonly defaultModel?: string
  /** How long a stored picture can be fetched. @default 3600 */
  readonly storeSeconds?: number
}

export interface ImagesParts {
  readonly calls: ModelCalls
  readonly models: Models
  readonly store: ImageStore | undefined
  readonly now: () => Date
  readonly clock: () => Promise<ClockKnowledge>
  readonly onFault: (error: unknown) => void
}

const IMAGE_ID = /^[A-Za-z0-9_-]{22,64}$/

/** Expired pictures are removed at most this often, while new ones come. */
const SWEEP_MS = 60_000

export function createImages({ defaultModel, storeSeconds = 3600 }: ImagesOptions, parts: ImagesParts): Images {
  const { calls, models, store, now, clock, onFault } = parts
  let sweptAt = now().getTime()

  const sweep = (place: ImageStore) => {
    const time = now()
    if (time.getTime() - sweptAt < SWEEP_MS) return
    sweptAt = time.getTime()
    clock()
      .then(({ since }) => place.removeExpired(time, since))
      .catch(onFault)
  }

  const keep = async (place: ImageStore, image: GeneratedImage): Promise<CreatedImage> => {
    const id = newImageId()
    const expiresAt = new Date(now().getTime() + storeSeconds * 1000)
    await place.put(id, { bytes: image.bytes, contentType: image.contentType, expiresAt })
    return { ...image, id }
  }

  const keepAll = (place: ImageStore, images: readonly GeneratedImage[]): Promise<readonly CreatedImage[]> => {
    sweep(place)
    return Promise.all(images.map((image) => keep(place, image)))
  }

  const generate = async (call: GatewayCall, request: NewImages): Promise<Result<CreatedImages, ImageError>> => {
    const { delivery, timeoutSeconds, model: named, ...wanted } = request
    if (delivery === 'stored' && !store) return err({ type: 'image-store-absent' })
    const model = named ?? defaultModel ?? (await models.list('image'))[0]?.id
    if (model === undefined) return err({ type: 'image-model-absent' })
    const opened = await calls.open(call, {
      kind: 'image',
      serviceOf: imagesOf,
      model,
      streamed: false,
      estimateTokens: () => 0,
      timeoutSeconds,
    })
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const asked = await modelCall.ask((service, upstreamModel, context) =>
      service.generate({ ...wanted, model: upstreamModel }, context),
    )
    if (asked.isErr()) return err(asked.error)
    const { answer, provider } = asked.value
    const usage = countedUsage(answer.usage)
    modelCall.settle({
      status: 200,
      inputTokens: usage?.inputTokens ?? 0,
      outputTokens: usage?.outputTokens ?? 0,
      images: answer.images.length,
    })
    return ok({
      createdAt: now(),
      provider,
      images: delivery === 'stored' && store ? await keepAll(store, answer.images) : answer.images,
      ...(usage ? { usage } : {}),
    })
  }

  return {
    generate: (call, request) => new ResultAsync(generate(call, request)),
    async find(id) {
      // The rule is the id's own, so nothing else can be named.
      return IMAGE_ID.test(id) && store ? store.find(id as ImageId, now()) : undefined
    },
  }
}

/** `undefined` where what the upstream told is no count. */
const countedUsage = (usage: GeneratedImages['usage']): GeneratedImages['usage'] =>
  usage && isTokenCount(usage.inputTokens) && isTokenCount(usage.outputTokens) ? usage : undefined

const imagesOf = ({ images }: Provider) => images

/** 192 random bits. */
function newImageId(): ImageId {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_') as ImageId // just made to the rule
}
