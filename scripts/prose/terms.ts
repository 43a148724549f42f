import { readFileSync } from 'node:fs'

/** A row of the words to avoid on the style page. */
export interface Term {
  readonly rule: string
  readonly avoid: string
  readonly use: string
  /** A regular expression of whole words that finds them. */
  readonly pattern: string
}

export const terms: readonly Term[] = JSON.parse(readFileSync(new URL('terms.json', import.meta.url), 'utf8'))

/** Returns the pattern for the linter. A hyphen makes a word part of another one. */
export const patternOf = ({ pattern }: Term): string => `\\b(?:${pattern})\\b(?!-)`
