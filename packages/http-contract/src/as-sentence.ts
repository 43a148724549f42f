/** Ends a message with a full stop, unless it ends with `.`, `!`, `?` or `…`, a quotation mark after them included. */
export const asSentence = (message: string): string => (/[.!?…]["')]?$/.test(message) ? message : `${message}.`)
