import { randomNumbers } from './random-numbers.ts'

type Colour = readonly [red: number, green: number, blue: number]

interface Disc {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly colour: Colour
  readonly opacity: number
}

/** The image of a text: a gradient of two colours with discs, all derived from the text. */
export interface Painting {
  /** Writes the red, green, blue and alpha bytes of one row into `pixels`. */
  readonly paintRow: (row: number, pixels: Uint8Array) => void
}

export function createPainting(text: string, width: number, height: number): Painting {
  const random = randomNumbers(text)
  const hue = random() * 360
  const from = colourOf(hue, 0.55, 0.25 + random() * 0.2)
  const to = colourOf(hue + 40 + random() * 120, 0.6, 0.55 + random() * 0.3)
  const angle = random() * Math.PI * 2
  const discs = Array.from(
    { length: 5 + Math.floor(random() * 9) },
    (): Disc => ({
      x: random() * width,
      y: random() * height,
      radius: (0.04 + random() * 0.22) * Math.min(width, height),
      colour: colourOf(hue + random() * 240, 0.7, 0.35 + random() * 0.4),
      opacity: 0.35 + random() * 0.5,
    }),
  )
  const slopeX = Math.cos(angle) / width
  const slopeY = Math.sin(angle) / height

  return {
    paintRow(row, pixels) {
      const start = row * width * 4
      for (let column = 0; column < width; column += 1) {
        const place = Math.min(1, Math.max(0, 0.5 + (column - width / 2) * slopeX + (row - height / 2) * slopeY))
        const offset = start + column * 4
        pixels[offset] = from[0] + (to[0] - from[0]) * place
        pixels[offset + 1] = from[1] + (to[1] - from[1]) * place
        pixels[offset + 2] = from[2] + (to[2] - from[2]) * place
        pixels[offset + 3] = 255
      }
      for (const disc of discs) paintDisc(disc, row, width, pixels)
    },
  }
}

function paintDisc({ x, y, radius, colour, opacity }: Disc, row: number, width: number, pixels: Uint8Array): void {
  const half = Math.sqrt(radius ** 2 - (row - y) ** 2)
  if (Number.isNaN(half)) return
  const end = Math.min(width, Math.floor(x + half))
  for (let column = Math.max(0, Math.ceil(x - half)); column < end; column += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const offset = (row * width + column) * 4 + channel
      const below = pixels[offset] ?? 0
      pixels[offset] = below + ((colour[channel] ?? 0) - below) * opacity
    }
  }
}

/** @param hue in degrees; saturation and lightness from 0 to 1 */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (shift: number) => {
    const place = (shift + hue / 30) % 12
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}
