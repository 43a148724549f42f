import { objectsIn } from './objects-in.ts'

/** The characters of a text that one turn of the event loop searches. */
export const PIECE = 2 ** 22
/** The longest key, with each character escaped, is shorter. */
const OVERLAP = 64

/** Returns the part of a text from a place on, with the start of the next part. */
export const pieceAt = (text: string, from: number): string => text.slice(from, from + PIECE + OVERLAP)

const ESCAPED_PROTOTYPE =
  /(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}/

/** Whether a JSON text has the key `__proto__`, or has it as a value. */
export const mayHavePrototypeKey = (text: string): boolean =>
  text.includes('__proto__') || (text.includes('\\u00') && ESCAPED_PROTOTYPE.test(text))

/** Removes them after parsing: a reviver of `JSON.parse` takes several times as long. */
export function dropPrototypeKeys(value: unknown): void {
  for (const object of objectsIn(value)) {
    if (Object.hasOwn(object, '__proto__')) Reflect.deleteProperty(object, '__proto__')
  }
}
