/**
 * Returns a number below 2^52 that depends only on the text, because clients read indexes as JSON numbers. It consists
 * of two 26-bit halves of FNV-1a with different seeds.
 */
export const reportIndex = (key: string): number => half(key, 0x811c9dc5) * 2 ** 26 + half(key, 0x01234567)

function half(key: string, seed: number): number {
  let hash = seed
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 6
}
