import type { RE2JS } from 're2js'
import { Turns } from '../turns.ts'
import { compileExpression, ExpressionScanner } from './expression-scanner.ts'
import { ShapeScanner } from './shape-scanner.ts'
import { type PatternName, patternNames, type Shape, shapes } from './shapes.ts'
import { createTextMasker, type TextMasker } from './text-masker.ts'
import type { PatternMatch, TextScanner } from './text-scanner.ts'
import { WordScanner, wordTree } from './word-scanner.ts'

/** What is looked for in texts. */
export interface PatternsOptions {
  /** Sorts of data that the gateway knows. @default none */
  readonly names?: readonly PatternName[]
  /**
   * The host's own regular expressions, by their names: at most 100, of at most 1,000 characters, in the syntax of RE2. `^`
   * and `$` are the ends of lines. A match has at most 256 UTF-16 code units.
   *
   * @default none
   */
  readonly expressions?: Readonly<Record<string, string>>
  /**
   * Words and phrases, at most 10,000 of at most 100 characters and 8 words. They are found as whole words, in capitals or
   * not, with any space, hyphen or apostrophe between the words of a phrase.
   *
   * @default none
   */
  readonly words?: readonly string[]
}

/** Patterns for texts. None of them takes more than linear time. */
export interface CompiledPatterns {
  /** Returns the matches, by their beginnings. Matches of different patterns may overlap. */
  find(text: string): readonly PatternMatch[]
  /** Replaces each match, such as by `[EMAIL]`. Matches that overlap are replaced together, by the name of the first. */
  mask(text: string): string
  /** Masks a text as `mask` does, in several turns of the event loop where it is long. */
  maskInTurns(text: string, options?: MaskOptions): Promise<string>
  /** Masks a text that arrives in pieces as `mask` does. It holds back at most 512 code units. */
  open(onMatch?: (name: string) => void): TextMasker
}

export interface MaskOptions {
  /** Those of work that this is a part of. @default its own */
  readonly turns?: Turns
  /** Whether the text is cut. What may be the beginning of a match at its end is left out. @default false */
  readonly isCut?: boolean
  /** Receives the name of each match. */
  readonly onMatch?: (name: string) => void
}

/** The name of matches of `words`. */
export const WORDS = 'words'

const NAME = /^[a-z][a-z0-9_]{0,39}$/
const MOST_EXPRESSIONS = 100
const MOST_WORDS = 10_000
/** The characters between two looks at the clock. */
const PIECE = 4_096

/**
 * @throws TypeError for a name that does not exist, and for an expression or a word that is not accepted
 * @throws RangeError for too many of them
 */
export function compilePatterns(options: PatternsOptions): CompiledPatterns {
  const makers = [...namedMakers(options), ...expressionMakers(options), ...wordMakers(options)]

  const open = (onMatch: (match: PatternMatch) => void): TextMasker =>
    createTextMasker({
      scanners: makers.map((make) => make()),
      maskOf: (name) => `[${name.toUpperCase()}]`,
      onMatch,
    })

  const mask = (text: string, onMatch: (match: PatternMatch) => void): string => {
    const masker = open(onMatch)
    let masked = ''
    for (let at = 0; at < text.length; at += PIECE) masked += masker.push(text.slice(at, at + PIECE))
    return masked + masker.end()
  }

  return {
    find(text) {
      // A match that is longer than before replaces itself.
      const found = new Map<string, PatternMatch>()
      mask(text, (match) => found.set(`${match.name} ${match.start}`, match))
      return [...found.values()]
    },
    mask: (text) => mask(text, ignore),
    async maskInTurns(text, { turns = new Turns(), isCut = false, onMatch } = {}) {
      const masker = open(({ name }) => onMatch?.(name))
      let masked = ''
      for (let at = 0; at < text.length; at += PIECE) {
        masked += masker.push(text.slice(at, at + PIECE))
        if (turns.isDue) await turns.next()
      }
      return isCut ? masked : masked + masker.end()
    },
    open: (onMatch) => open(({ name }) => onMatch?.(name)),
  }
}

type ScannerMaker = () => TextScanner

function namedMakers({ names = [] }: PatternsOptions): readonly ScannerMaker[] {
  for (const name of names) {
    if (!patternNames.includes(name)) {
      throw new TypeError(`There is no pattern '${String(name)}'. There are ${patternNames.join(', ')}.`)
    }
  }
  return [...new Set(names)].flatMap((name) => {
    const all: readonly Shape[] = shapes[name]
    return all.map((shape) => () => new ShapeScanner(name, shape))
  })
}

function expressionMakers({ expressions = {} }: PatternsOptions): readonly ScannerMaker[] {
  const entries = Object.entries(expressions)
  if (entries.length > MOST_EXPRESSIONS) throw new RangeError(`There are more than ${MOST_EXPRESSIONS} patterns.`)
  return entries.map(([name, pattern]) => {
    if (!NAME.test(name) || name === WORDS || Object.hasOwn(shapes, name)) {
      throw new TypeError(`'${name}' cannot name a pattern: 1 to 40 of a-z, 0-9 and _ can, and no name of the gateway.`)
    }
    const expression: RE2JS = compileExpression(name, pattern)
    return () => new ExpressionScanner(name, expression)
  })
}

function wordMakers({ words = [] }: PatternsOptions): readonly ScannerMaker[] {
  if (!Array.isArray(words) || words.length > MOST_WORDS) {
    throw new RangeError(`'words' must be a list of at most ${MOST_WORDS} words.`)
  }
  if (words.length === 0) return []
  const tree = wordTree(words)
  return [() => new WordScanner(WORDS, tree)]
}

const ignore = (): void => undefined
