/** The query string of a request's url as it was sent, without the question mark. */
export function queryOf(url: string | undefined): string {
  const question = url?.indexOf('?') ?? -1
  return url === undefined || question < 0 ? '' : url.slice(question + 1)
}

/** The path of a request's url as it was sent. */
export function pathOf(url: string | undefined): string {
  const question = url?.indexOf('?') ?? -1
  return url === undefined || question < 0 ? (url ?? '/') : url.slice(0, question)
}
