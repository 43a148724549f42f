/** The characters that are encoded together. */
export const PIECE = 2 ** 17

/** Returns the pieces of a text, each of which is encoded as a whole. The halves of a character stay together. */
export function textPieces(text: string): readonly string[] {
  if (text.length <= PIECE) return [text]
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const last = text.charCodeAt(from + PIECE - 1)
    const end = last >= 0xd800 && last <= 0xdbff ? from + PIECE + 1 : from + PIECE
    pieces.push(text.slice(from, end))
    from = end
  }
  return pieces
}
