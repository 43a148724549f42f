/** Keeps which numbers from 0 are taken. The search for the lowest free one checks 32 at a time. */
export interface NumberPool {
  /** Takes the lowest free number of the range, both ends included; `undefined` when every number is taken. */
  takeLowest(first: number, last: number): number | undefined
  /** Takes a number. @returns whether it was free */
  take(number: number): boolean
  release(number: number): void
  has(number: number): boolean
}

const ALL_TAKEN = 0xffff_ffff

export function createNumberPool(): NumberPool {
  const words: number[] = []
  const wordAt = (index: number): number => words[index] ?? 0

  const has = (number: number) => (wordAt(number >>> 5) & (1 << (number & 31))) !== 0

  const take = (number: number) => {
    if (has(number)) return false
    const index = number >>> 5
    while (words.length <= index) words.push(0)
    words[index] = (wordAt(index) | (1 << (number & 31))) >>> 0
    return true
  }

  return {
    has,
    take,
    release: (number) => {
      if (has(number)) words[number >>> 5] = (wordAt(number >>> 5) & ~(1 << (number & 31))) >>> 0
    },
    takeLowest: (first, last) => {
      for (let number = first; number <= last; ) {
        if ((number & 31) === 0 && wordAt(number >>> 5) === ALL_TAKEN) number += 32
        else if (take(number)) return number
        else number += 1
      }
      return undefined
    },
  }
}
