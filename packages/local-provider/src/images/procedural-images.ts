import { type ImageProvider, ProviderFailure } from '@trivium/gateway-core/ports'

export const PROCEDURAL_IMAGE_MODEL = 'procedural-no-llm'

const defaultSize = { width: 1024, height: 1024 }
const LARGEST = 2048

/**
 * Creates a provider whose images are derived from the characters of the prompt. The same prompt, size, number and
 * `seed` give the same bytes.
 */
export function createProceduralImages(): ImageProvider {
  return {
    async generate({ model, prompt, count, size = defaultSize, extra }, { signal }) {
      if (model !== PROCEDURAL_IMAGE_MODEL) {
        const message = `The model '${model}' does not exist.`
        throw new ProviderFailure({ type: 'refused', status: 404, code: 'model_not_found', param: 'model', message })
      }
      const { width, height } = size
      if (![width, height].every((length) => Number.isInteger(length) && length >= 1 && length <= LARGEST)) {
        throw new ProviderFailure({
          type: 'unsupported',
          param: 'size',
          message: `Images must be 1 to ${LARGEST} pixels wide and high.`,
        })
      }
      const { encodePng } = await import('./encode-png.ts')
      const images = []
      for (let index = 0; index < count; index += 1) {
        const bytes = await encodePng(JSON.stringify([prompt, index, extra.seed ?? 0]), width, height, signal)
        images.push({ bytes, contentType: 'image/png' } as const)
      }
      return { images }
    },
  }
}
