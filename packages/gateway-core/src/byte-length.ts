const encoder = new TextEncoder()

/** Returns the length of a text in UTF-8. */
export const byteLength = (text: string): number => encoder.encode(text).length
