/** A word with the white space before it counts as one token, so joining them gives the text again. */
export const tokensOf = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? []

export const countTokens = (text: string): number => tokensOf(text).length
