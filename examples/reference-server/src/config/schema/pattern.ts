import { patternNames, patternsGuardrail } from '@trivium/gateway-core'
import * as v from 'valibot'
import { nearestName } from '../nearest-name.ts'

/** The most characters of a regular expression. */
const MOST = 500

const names: ReadonlySet<string> = new Set(patternNames)

/** Returns whether a pattern is the name of a known one, and not an expression. */
export const isPatternName = (pattern: string): pattern is (typeof patternNames)[number] => names.has(pattern)

const NO_EXPRESSION =
  'must be a regular expression of RE2, without references to groups and look-around, that matches no empty text'

/** A regular expression, which takes time linear in the text. */
export const expression = v.pipe(
  v.string('must be a regular expression'),
  v.nonEmpty('must not be empty'),
  v.maxLength(MOST, `must have at most ${MOST} characters`),
  v.check(isExpression, NO_EXPRESSION),
)

/** What looks like a name, and as an expression would match only itself. */
const NAME = /^[A-Za-z_-]+$/

/**
 * The name of a known pattern, or a regular expression.
 *
 * @param remedy says where a literal text goes
 */
export const patternOr = (remedy: string) =>
  v.pipe(
    v.string(`must be ${patternNames.join(', ')} or a regular expression`),
    v.nonEmpty('must not be empty'),
    v.maxLength(MOST, `must have at most ${MOST} characters`),
    v.check(
      (text) => isPatternName(text) || !NAME.test(text),
      ({ input }) => `is not the name of a pattern. ${meant(input) ?? remedy}`,
    ),
    v.check((text) => isPatternName(text) || NAME.test(text) || isExpression(text), NO_EXPRESSION),
  )

/** Returns a question for the name that a text may stand for: one with similar letters, or one of its words. */
function meant(text: string): string | undefined {
  const given = text.toLowerCase().replaceAll('-', '_')
  const words = given.split('_')
  const name =
    nearestName(given, patternNames) ??
    patternNames.find((one) => words.includes(one) || one.split('_').includes(given))
  return name && `Did you mean ${name}?`
}

function isExpression(source: string): boolean {
  try {
    return patternsGuardrail({ expressions: { pattern: source } }) !== undefined
  } catch {
    return false
  }
}
