import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import { checkRange, MAX_SECONDS } from '../check-range.ts'
import type { ClockTrust } from '../clock-watch.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import type { Models } from '../models/models.ts'
import type { Provider } from '../providers/provider.ts'
import { isTokenCount } from '../usage/token-count.ts'
import { type ImageTraits, imageFamilyOf } from './image-family.ts'
import { imageFormOf } from './image-form.ts'
import type { GeneratedImage, ImageReport, ImageRequest, ImageUsage } from './image-request.ts'
import type { ImageId, ImageStore, StoredImage } from './image-store.ts'

/** Why a request for images failed. */
export type ImageError =
  | ModelCallError
  /** The request names no model, and there is no image model. */
  | { readonly type: 'image-model-absent' }
  /** The request asks for URLs, but the gateway has no image store. */
  | { readonly type: 'image-store-absent' }

/** A request for images. */
export interface NewImages extends Omit<ImageRequest, 'model'> {
  /** `provider/model`, or an alias. @default `defaultModel` of {@link ImagesOptions} */
  readonly model?: string
  /** For all attempts together. @default `totalSeconds` of the gateway */
  readonly timeoutSeconds?: number
  /** `stored`: the images are stored for `storeSeconds` and get ids. `inline`: only the bytes are returned. */
  readonly delivery: 'stored' | 'inline'
}

/** The images of one request. */
export interface CreatedImages {
  readonly createdAt: Date
  readonly provider: string
  readonly images: readonly CreatedImage[]
  readonly usage?: ImageUsage
  readonly report?: ImageReport
}

/** One image, with its id where it is stored. */
export interface CreatedImage extends GeneratedImage {
  /** Absent for inline delivery. */
  readonly id?: ImageId
}

/** Creates images and finds stored ones. */
export interface Images {
  /** Creates images, after retries and fallbacks. Rejects where the image store fails. */
  generate(call: GatewayCall, request: NewImages): ResultAsync<CreatedImages, ImageError>
  /**
   * Describes the models that may serve a request, from which its bounds and defaults follow. Where no model is found, the
   * family is `other`.
   *
   * @param model `provider/model`, or an alias. @default that of a request without a model
   */
  traits(model?: string): Promise<ImageTraits>
  /** Returns `undefined` for an absent or expired image. Any caller that has the id can fetch the image. */
  find(id: string): Promise<StoredImage | undefined>
}

/** The default image model, and how long images are stored. */
export interface ImagesOptions {
  /** The model of requests without one: `provider/model`, or an alias. @default the first image model by id */
  readonly defaultModel?: string
  /** The seconds for which a stored image can be fetched, from 1 to 1,000,000,000. @default 3600 */
  readonly storeSeconds?: number
}

export interface ImagesParts {
  readonly calls: ModelCalls
  readonly models: Models
  readonly store: ImageStore | undefined
  readonly now: () => Date
  readonly clock: () => Promise<ClockTrust>
  readonly onFault: (error: unknown) => void
}

const IMAGE_ID = /^[A-Za-z0-9_-]{22,64}$/

/** A character has at most 3 bytes, and each byte at most a token. */
const TOKENS_PER_CHARACTER = 3
/** What vendors add to prompts. */
const ADDED_TOKENS = 512
/** More than any model takes for an image at its largest. */
const MOST_TOKENS_PER_IMAGE = 8_192

/** The shortest time between two removals of expired images. They run when images are stored. */
const REMOVAL_INTERVAL_MS = 60_000

export function createImages({ defaultModel, storeSeconds = 3600 }: ImagesOptions, parts: ImagesParts): Images {
  const { calls, models, store, now, clock, onFault } = parts
  checkRange({ 'images.storeSeconds': storeSeconds }, 1, MAX_SECONDS)
  let lastRemovalAt = now().getTime()

  const removeExpiredImages = (target: ImageStore) => {
    const time = now()
    if (time.getTime() - lastRemovalAt < REMOVAL_INTERVAL_MS) return
    lastRemovalAt = time.getTime()
    clock()
      .then(({ since }) => target.removeExpired(time, since))
      .catch(onFault)
  }

  const storeImage = async (target: ImageStore, image: GeneratedImage): Promise<CreatedImage> => {
    const id = newImageId()
    const expiresAt = new Date(now().getTime() + storeSeconds * 1000)
    await target.put(id, { bytes: image.bytes, contentType: image.contentType, expiresAt })
    return { ...image, id }
  }

  const storeImages = (target: ImageStore, images: readonly GeneratedImage[]): Promise<readonly CreatedImage[]> => {
    removeExpiredImages(target)
    return Promise.all(images.map((image) => storeImage(target, image)))
  }

  const modelOf = async (named: string | undefined): Promise<string | undefined> =>
    named ?? defaultModel ?? (await models.list('image'))[0]?.id

  const generate = async (call: GatewayCall, request: NewImages): Promise<Result<CreatedImages, ImageError>> => {
    const { delivery, timeoutSeconds, model: named, ...fields } = request
    if (delivery === 'stored' && !store) return err({ type: 'image-store-absent' })
    const model = await modelOf(named)
    if (model === undefined) return err({ type: 'image-model-absent' })
    const { size, extra } = fields
    const imageForm = imageFormOf({ ...(size && { size: `${size.width}x${size.height}` }), ...extra })
    const opened = await calls.open(call, {
      kind: 'image',
      purpose: 'image generation',
      serviceOf: ({ upstream }) => imagesOf(upstream.provider),
      model,
      streamed: false,
      estimateTokens: () => 0,
      bound: () => ({
        inputTokens: fields.prompt.length * TOKENS_PER_CHARACTER + ADDED_TOKENS,
        outputTokens: fields.count * MOST_TOKENS_PER_IMAGE,
        images: fields.count,
        imageForm,
      }),
      estimateInput: () => 0,
      timeoutSeconds,
      endUserIn: { user: fields.user },
    })
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const answered = await modelCall.send((service, upstreamModel, context) =>
      service.generate({ ...fields, model: upstreamModel }, context),
    )
    if (answered.isErr()) return err(answered.error)
    const { answer, provider } = answered.value
    const usage = validUsage(answer.usage)
    // Models with a price for an image report no tokens. The most that others can cost is that of their tokens.
    const cost = modelCall.settle(
      {
        status: 200,
        inputTokens: usage?.inputTokens ?? 0,
        outputTokens: usage?.outputTokens ?? 0,
        images: answer.images.length,
        imageForm,
        ...(usage?.inputDetails && { imageInputTokens: usage.inputDetails.imageTokens }),
      },
      usage === undefined,
    )
    if (cost !== undefined) call.cost = cost
    return ok({
      createdAt: now(),
      provider,
      images: delivery === 'stored' && store ? await storeImages(store, answer.images) : answer.images,
      ...(usage ? { usage } : {}),
      ...(answer.report ? { report: answer.report } : {}),
    })
  }

  return {
    generate: (call, request) => new ResultAsync(generate(call, request)),
    async traits(named) {
      const model = await modelOf(named)
      const resolved = model === undefined ? undefined : await models.resolve(model, 'image')
      const targets = resolved?.unwrapOr([]) ?? []
      const canStream = targets.every(({ upstream }) => upstream.provider.endpoints?.supports('image-generations'))
      return { model, family: imageFamilyOf(targets.map((target) => target.model)), canStream }
    },
    async find(id) {
      // Only the form of an id reaches the store, so that no other file or key can be named.
      return IMAGE_ID.test(id) && store ? store.find(id as ImageId, now()) : undefined
    },
  }
}

/** Returns `undefined` where the upstream's usage is not a valid count. */
function validUsage(usage: ImageUsage | undefined): ImageUsage | undefined {
  if (!usage || !isTokenCount(usage.inputTokens) || !isTokenCount(usage.outputTokens)) return undefined
  const { inputTokens, outputTokens, inputDetails: details } = usage
  const isValid = details && isTokenCount(details.textTokens) && isTokenCount(details.imageTokens)
  return { inputTokens, outputTokens, ...(isValid ? { inputDetails: details } : {}) }
}

const imagesOf = ({ images }: Provider) => images

/** Creates an id of 192 random bits. */
function newImageId(): ImageId {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_') as ImageId // has the required form
}
