/** The characters that one turn of the event loop encodes. */
export const PIECE = 2 ** 20

/** Returns the pieces of a text that are encoded in a turn each. The halves of a character stay together. */
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
