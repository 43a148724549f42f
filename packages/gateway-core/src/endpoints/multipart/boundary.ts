import { MalformedForm } from './malformed-form.ts'

const FORM_DATA = /^\s*multipart\/form-data[ \t]*/i
/** Some clients leave out the quotes where a standard boundary needs them. */
const PARAMETER = /;[ \t]*(boundary|charset)=(?:"([^"\\]*)"|([^\s;,"\\]+))[ \t]*/iy
/** Those of RFC 2046 but spaces, which parsers may trim. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=?]{1,70}$/
const TOKEN = /^[0-9A-Za-z'+_\-.]+$/

/** Whether a content type is that of a form with files. */
export const isMultipart = (contentType: string | undefined): contentType is string =>
  contentType !== undefined && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)

/**
 * Returns the boundary in a content type, of at most 70 characters. Other parsers choose among several boundaries, and
 * read unusual parameters, in their own ways, so only `charset` is accepted beside one.
 *
 * @throws MalformedForm without a valid one
 */
export function boundaryOf(contentType: string): string {
  const parameters = new Map<string, string>()
  let end = FORM_DATA.exec(contentType)?.[0].length ?? 0
  while (end < contentType.length) {
    PARAMETER.lastIndex = end
    const [whole = '', name = '', quoted, token = ''] = PARAMETER.exec(contentType) ?? []
    const key = name.toLowerCase()
    if (whole === '' || parameters.has(key))
      throw new MalformedForm(
        "The content type of the form must be 'multipart/form-data' with one 'boundary', and nothing else than a 'charset'.",
      )
    parameters.set(key, quoted ?? token)
    end += whole.length
  }
  const boundary = parameters.get('boundary')
  if (boundary !== undefined && BOUNDARY.test(boundary)) return boundary
  throw new MalformedForm('The content type of the form has no valid boundary.')
}

/** Returns the content type of a form, which every parser reads alike. @param boundary that {@link boundaryOf} returned */
export const formType = (boundary: string): string =>
  `multipart/form-data; boundary=${TOKEN.test(boundary) ? boundary : `"${boundary}"`}`
