/**
 * Returns a generator of numbers from 0 to 1, exclusive. The seed is `TRIVIUM_TEST_SEED`, or changes with each run. It
 * is printed, so that a failure can be repeated.
 */
export function seededRandom(purpose: string): () => number {
  const seed = Number(process.env.TRIVIUM_TEST_SEED ?? Date.now() % 1_000_000)
  console.info(`${purpose} by TRIVIUM_TEST_SEED=${seed}`)
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
