import { decodedOnce, MOST_LEVELS } from '../patterns/json-escapes.ts'

/** Between parts of one text, each of which may have data, as may the text without it. */
export const PART = '\u001f'

/** What is read beyond a limit, so that a pattern at the cut is found as a whole. */
export const BEYOND = 1_024

/** Masks a text. Of one that is cut, what may be the beginning of a match at its end is left out. */
export type Mask = (text: string, isCut: boolean) => Promise<string>

export interface UnmaskedText {
  readonly text: string
  /** Whether its end is missing. */
  readonly isCut: boolean
}

/** Masks a text, also where its data is divided by parts or written with escapes. Parts without such data become lines. */
export async function redactedText({ text, isCut }: UnmaskedText, mask: Mask): Promise<string> {
  const masked = (one: string) => mask(one, isCut)
  return withoutParts(await masked(text), masked)
}

type Masked = (text: string) => Promise<string>

async function withoutParts(text: string, mask: Masked): Promise<string> {
  if (!text.includes(PART)) return withoutEscaped(text, mask)
  const joined = text.replaceAll(PART, '')
  const masked = await withoutEscaped(await mask(joined), mask)
  return masked === joined ? withoutEscaped(text.replaceAll(PART, '\n'), mask) : masked
}

async function withoutEscaped(text: string, mask: Masked): Promise<string> {
  let kept = text
  let read = text
  for (let level = 0; level < MOST_LEVELS && read.includes('\\'); level += 1) {
    read = decodedOnce(read)
    const masked = await mask(read)
    if (masked === read) continue
    kept = masked
    read = masked
  }
  return kept
}
