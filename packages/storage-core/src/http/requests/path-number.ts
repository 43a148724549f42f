/** A number in a path. Anything else is -1, which nothing has. */
export const pathNumber = (text: string): number => (/^\d{1,16}$/.test(text) ? Number(text) : -1)
