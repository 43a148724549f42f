import { readFileSync } from 'node:fs'

/** Words that are not used, as the style page lists them. */
export interface Term {
  readonly rule: string
  readonly avoid: string
  readonly use: string
  /** Where the words are meant: a regular expression of whole words. */
  readonly pattern: string
}

export const terms: readonly Term[] = JSON.parse(readFileSync(new URL('terms.json', import.meta.url), 'utf8'))

/** As the linter looks for it; a hyphen makes it part of another word. */
export const patternOf = ({ pattern }: Term): string => `\\b(?:${pattern})\\b(?!-)`
