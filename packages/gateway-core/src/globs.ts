/** Returns whether a text matches. */
export type Glob = (text: string) => boolean

/** Where texts and parts are short, the search of the engine is faster, and its worst case too small to matter. */
const MAX_STEPS = 4_096

/**
 * Compiles a pattern, in which each `*` stands for any characters, or none. A match takes time linear in the lengths of
 * the pattern and the text.
 */
export function compileGlob(pattern: string): Glob {
  const [first = '', ...others] = pattern.replace(/\*+/g, '*').split('*')
  const last = others.pop()
  if (last === undefined) return (text) => text === pattern
  if (others.length === 0 && last === '') return (text) => text.startsWith(first)
  const searches = others.map(compileSearch)
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    const end = text.length - last.length
    let from = first.length
    for (const search of searches) {
      from = search(text, from)
      if (from < 0 || from > end) return false
    }
    return true
  }
}

/** Compiles patterns, of which any may match. Those without a star take one look-up together. */
export function compileGlobs(patterns: readonly string[]): Glob {
  if (patterns.some((pattern) => /^\*+$/.test(pattern))) return () => true
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const globs = patterns.filter((pattern) => pattern.includes('*')).map(compileGlob)
  return (text) => exact.has(text) || globs.some((glob) => glob(text))
}

/** Returns the end of the first occurrence of a part from a place on, or -1. */
type Search = (text: string, from: number) => number

function compileSearch(part: string): Search {
  let borders: Uint16Array | undefined
  return (text, from) => {
    if (part.length * (text.length - from) <= MAX_STEPS) {
      const at = text.indexOf(part, from)
      return at < 0 ? -1 : at + part.length
    }
    borders ??= bordersOf(part)
    return searchLinear(part, borders, text, from)
  }
}

/** The search of Knuth, Morris and Pratt. That of the engine is quadratic for texts such as `aaaa`. */
function searchLinear(part: string, borders: Uint16Array, text: string, from: number): number {
  let matched = 0
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    if (part.charCodeAt(matched) === unit) matched += 1
    if (matched === part.length) return at + 1
  }
  return -1
}

/** For each beginning of a part, the length of the longest text that both begins and ends it. */
function bordersOf(part: string): Uint16Array {
  const borders = new Uint16Array(part.length)
  for (let at = 1, length = 0; at < part.length; at += 1) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (part.charCodeAt(at) === part.charCodeAt(length)) length += 1
    borders[at] = length
  }
  return borders
}
