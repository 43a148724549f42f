/** Returns the query string of a request's URL as it was sent, without the question mark. Empty if it has none. */
export function queryOf(url: string | undefined): string {
  const question = url?.indexOf('?') ?? -1
  return url === undefined || question < 0 ? '' : url.slice(question + 1)
}

/** Returns the path of a request's URL as it was sent, without the query. `/` without a URL. */
export function pathOf(url: string | undefined): string {
  const question = url?.indexOf('?') ?? -1
  return url === undefined || question < 0 ? (url ?? '/') : url.slice(0, question)
}
