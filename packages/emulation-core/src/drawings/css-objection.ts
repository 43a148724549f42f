/** A reference to another part of the same document. Others load something. */
const URL_FUNCTION = /url\s*\(\s*(["']?)\s*(.?)/gi

/** Functions of CSS that load what a text names, or run it. */
const LOADING_FUNCTION = /(?:image|image-set|cross-fade|element|src|paint|expression)\s*\(/i

/**
 * Returns why a declaration or a property of CSS is refused, or `undefined`. An escape could spell the name of a function
 * in another way, so none is accepted next to one.
 */
export function cssObjection(css: string): string | undefined {
  if (!css.includes('(')) return undefined
  if (css.includes('\\')) return 'has a backslash'
  if (LOADING_FUNCTION.test(css)) return 'has a function that loads something'
  for (const [, , first] of css.matchAll(URL_FUNCTION)) if (first !== '#') return "refers to something outside: 'url'"
  return undefined
}

/** Returns why a whole style sheet is refused, or `undefined`. Rules with `@` can load others and fonts. */
export function styleSheetObjection(css: string): string | undefined {
  if (css.includes('\\')) return 'has a backslash'
  if (css.includes('@')) return "has a rule with '@'"
  return cssObjection(css)
}
