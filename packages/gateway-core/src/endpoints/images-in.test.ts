import { describe, expect, it } from 'vitest'
import { imagesIn } from './images-in.ts'

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
const large = 'A'.repeat(2 ** 20)

describe('imagesIn', () => {
  it.each(['image-edits', 'image-variations', 'image-generations'] as const)('counts the images of %s', (endpoint) => {
    expect(imagesIn(endpoint, encode({ created: 1, data: [{ b64_json: 'AA' }, { b64_json: 'AA' }] }))).toBe(2)
    expect(imagesIn(endpoint, encode({ created: 1, data: [{ url: 'https://images.example/a.png' }] }))).toBe(1)
  })

  it('counts those of an answer that is too large to be parsed', () => {
    const data = [
      { b64_json: large, revised_prompt: 'a "url": "x"' },
      { b64_json: large, url: null },
    ]
    expect(imagesIn('image-edits', encode({ created: 1, data }))).toBe(2)
    expect(imagesIn('image-edits', encode({ data: [{ url: `data:image/png;base64,${large}` }] }))).toBe(1)
  })

  it.each([{ error: {} }, [], null, { data: 'AA' }])('counts none in %j', (value) => {
    expect(imagesIn('image-edits', encode(value))).toBe(0)
  })

  it('counts none of endpoints without images', () => {
    expect(imagesIn('embeddings', encode({ data: [{ embedding: [1] }] }))).toBe(0)
    expect(imagesIn('files', encode({ data: [{ url: 'a' }] }))).toBe(0)
  })
})
