import { err, ok, type Result } from 'neverthrow'
import { MAXIMUM_IMPORTED_RULES } from '../../rule-imports/rule-import.ts'
import { nextTurn } from '../../scheduling/next-turn.ts'
import { type Failure, failure } from '../errors/failure.ts'
import { atLine } from '../errors/to-failure.ts'

/** The most bytes of a file. */
export const MAXIMUM_FILE_BYTES = 2 ** 21
/** The most bytes of one line. Longer ones would hold up the process. */
const MAXIMUM_LINE_BYTES = 2 ** 17
/** After this many lines or bytes, other requests are answered. */
const LINES_PER_TURN = 100
const BYTES_PER_TURN = 2 ** 15

const NEW_LINE = 10
const RETURN = 13

/** A line that is not blank, without its line break. */
export interface FileLine {
  /** From 1. */
  readonly number: number
  readonly bytes: Uint8Array
}

/**
 * Reads the lines of a file one after the other, in turns of the event loop. `header` lines are not counted as rules.
 *
 * @returns the first failure, of this function or of `read`
 */
export async function readLines(
  file: Uint8Array,
  header: number,
  read: (line: FileLine) => Result<void, Failure>,
): Promise<Result<void, Failure>> {
  const start = file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf ? 3 : 0
  let [number, found, turnAt, foundAtTurn] = [0, 0, start, 0]
  for (let from = start; from < file.length; ) {
    const at = file.indexOf(NEW_LINE, from)
    const end = at === -1 ? file.length : at
    number += 1
    const bytes = file.subarray(from, end > from && file[end - 1] === RETURN ? end - 1 : end)
    from = end + 1
    if (from - turnAt > BYTES_PER_TURN || found - foundAtTurn >= LINES_PER_TURN) {
      await nextTurn()
      turnAt = from
      foundAtTurn = found
    }
    if (bytes.length > MAXIMUM_LINE_BYTES) return err(atLine(number, longLine))
    if (isBlank(bytes)) continue
    found += 1
    if (found > MAXIMUM_IMPORTED_RULES + header) return err(atLine(number, tooManyRules))
    const outcome = read({ number, bytes })
    if (outcome.isErr()) return err(atLine(number, outcome.error))
  }
  return ok()
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32 || byte === 9)

const longLine = failure(400, 'invalidValue', `A line has at most ${MAXIMUM_LINE_BYTES} bytes.`)
const tooManyRules = failure(400, 'invalidValue', `A file has at most ${MAXIMUM_IMPORTED_RULES} rules.`)
