/** Parses a number in a path. Returns -1, which no record has, for anything else. */
export const pathNumber = (text: string): number => (/^\d{1,16}$/.test(text) ? Number(text) : -1)
