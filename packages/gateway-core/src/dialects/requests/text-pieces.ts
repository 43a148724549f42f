/** The characters that are encoded at once. */
export const PIECE = 2 ** 17

/** Returns the pieces of a text that are encoded each at once. The halves of a character stay together. */
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
