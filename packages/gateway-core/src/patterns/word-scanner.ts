import type { PatternMatch, TextScanner, TextWindow } from './text-scanner.ts'

/** The most characters of a word or a phrase. */
export const LONGEST_WORD = 100
/** The most words of a phrase. */
export const MOST_WORDS_OF_PHRASE = 8

const WORD = /(?<![\p{L}\p{N}\p{M}_])[\p{L}\p{N}\p{M}_]+/gu
const SEPARATOR = /[\s'’-]{1,3}/y
const PHRASE = /^[\p{L}\p{N}\p{M}_]+(?:[\s'’-][\p{L}\p{N}\p{M}_]+)*$/u

/** Words that may follow each other. */
export interface WordTree {
  readonly next: Map<string, WordTree>
  /** Whether a phrase ends here. */
  isEnd: boolean
}

const emptyTree = (): WordTree => ({ next: new Map(), isEnd: false })

/** Returns a word as it is compared. */
const normal = (word: string): string => word.normalize('NFKC').toLowerCase()

/**
 * Arranges words and phrases for one pass over a text.
 *
 * @throws TypeError for an entry that is not words of letters and digits with single separators
 */
export function wordTree(entries: readonly string[]): WordTree {
  const tree = emptyTree()
  for (const entry of entries) {
    if (typeof entry !== 'string' || entry.length > LONGEST_WORD || !PHRASE.test(entry)) throw wrongWord(entry)
    const words = entry.match(WORD) ?? []
    if (words.length > MOST_WORDS_OF_PHRASE) throw wrongWord(entry)
    let node = tree
    for (const word of words) {
      const next = node.next.get(normal(word)) ?? emptyTree()
      node.next.set(normal(word), next)
      node = next
    }
    node.isEnd = true
  }
  return tree
}

const wrongWord = (entry: unknown): TypeError =>
  new TypeError(
    `'words' cannot have ${JSON.stringify(entry)}: it needs 1 to ${MOST_WORDS_OF_PHRASE} words of letters and digits, with a space, a hyphen or an apostrophe between them, and at most ${LONGEST_WORD} characters.`,
  )

/** Finds whole words and phrases, in capitals or not. */
export class WordScanner implements TextScanner {
  readonly #name: string
  readonly #tree: WordTree
  #next = 0

  constructor(name: string, tree: WordTree) {
    this.#name = name
    this.#tree = tree
  }

  scan({ text, from, isLast }: TextWindow, found: (match: PatternMatch) => void): number {
    let at = this.#next - from
    for (;;) {
      const word = wordAt(text, at)
      if (!word) break
      const read = this.#read(text, word, isLast)
      if (read === 'undecided') {
        this.#next = from + word.start
        return this.#next
      }
      if (read !== undefined) found({ name: this.#name, start: from + word.start, end: from + read })
      at = read ?? word.end
    }
    this.#next = from + text.length
    return this.#next
  }

  /** Returns the end of the longest phrase that begins with a word. */
  #read(text: string, first: Word, isLast: boolean): number | undefined | 'undecided' {
    let node: WordTree | undefined = this.#tree
    let end: number | undefined
    for (let word: Word | undefined = first; word; ) {
      // A longer one is not in the tree.
      if (word.end - word.start > LONGEST_WORD) return end
      if (word.end === text.length && !isLast) return 'undecided'
      node = node.next.get(normal(text.slice(word.start, word.end)))
      if (!node) return end
      if (node.isEnd) end = word.end
      if (node.next.size === 0) return end
      SEPARATOR.lastIndex = word.end
      const start: number = word.end + (SEPARATOR.exec(text)?.[0].length ?? 0)
      const following: Word | undefined = start > word.end ? wordAt(text, start) : undefined
      if (start === text.length && !isLast) return 'undecided'
      word = following?.start === start ? following : undefined
    }
    return end
  }
}

interface Word {
  readonly start: number
  readonly end: number
}

/** Returns the first word from an offset on. */
function wordAt(text: string, at: number): Word | undefined {
  WORD.lastIndex = at
  const found = WORD.exec(text)
  return found ? { start: found.index, end: found.index + found[0].length } : undefined
}
