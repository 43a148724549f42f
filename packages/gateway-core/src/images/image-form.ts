import type { ImageForm } from '../prices/rates.ts'

/** Returns what the price of an image depends on, as a request names it. */
export const imageFormOf = ({ quality, size }: Readonly<Record<string, unknown>>): ImageForm => ({
  ...(typeof quality === 'string' && { quality }),
  ...(typeof size === 'string' && { size }),
})
