/**
 * The image models that have parameters in common: those since `gpt-image-1`, DALL·E 3, and `other` for DALL·E 2 and
 * models of unknown names.
 */
export type ImageFamily = 'gpt-image' | 'dall-e-3' | 'other'

/** What is known of the models of a request before it is sent. */
export interface ImageTraits {
  /** The model of the request, or the default; `undefined` without image models. */
  readonly model: string | undefined
  readonly family: ImageFamily
  /** Whether all upstreams of the request can stream images. */
  readonly canStream: boolean
}

const GPT_IMAGE = /(?:^|\/)(?:chat)?gpt-image/i
const DALL_E_3 = /(?:^|\/)dall-e-3/i

/** Derives the family from the ids of the models that may serve a request; `other` where they have several. */
export function imageFamilyOf(models: readonly string[]): ImageFamily {
  if (models.length === 0) return 'other'
  if (models.every((model) => GPT_IMAGE.test(model))) return 'gpt-image'
  return models.every((model) => DALL_E_3.test(model)) ? 'dall-e-3' : 'other'
}
