export const MAXIMUM_URL_LENGTH = 2048

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const NOT_IN_URLS = /[\u0000-\u0020\u007f]/

/** Returns why a URL cannot be that of a webhook: a clause. The parser of URLs ignores line breaks, so they are refused. */
export function urlProblem(text: string): string | undefined {
  if (text.length > MAXIMUM_URL_LENGTH) return `it has more than ${MAXIMUM_URL_LENGTH} characters`
  if (NOT_IN_URLS.test(text)) return 'it has spaces or control characters'
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'an http or https URL is expected'
  if (url.username !== '' || url.password !== '') return 'it has credentials'
  if (text.includes('#')) return 'it has a fragment'
  return undefined
}
