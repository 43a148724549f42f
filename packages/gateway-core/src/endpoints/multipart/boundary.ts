import { MalformedForm } from './malformed-form.ts'

const PARAMETER = /;\s{0,9}boundary=(?:"([^"\\\r\n]{1,70})"|([^\s;",]{1,70}))(?=\s*(?:;|$))/i
const CHARACTERS = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/

/** Whether a content type is that of a form with files. */
export const isMultipart = (contentType: string | undefined): contentType is string =>
  contentType !== undefined && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)

/**
 * Returns the boundary in a content type, of at most 70 characters, as RFC 2046 allows them.
 *
 * @throws MalformedForm without a valid one
 */
export function boundaryOf(contentType: string): string {
  const [, quoted, token] = PARAMETER.exec(contentType.slice(0, 1000)) ?? []
  const boundary = quoted ?? token
  if (boundary !== undefined && CHARACTERS.test(boundary)) return boundary
  throw new MalformedForm('The content type of the form has no valid boundary.')
}
