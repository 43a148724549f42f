import type { JsonObject } from '../dialect.ts'
import { textOr } from '../json-values.ts'

/** Returns the region of a client's `user_location`, with the language that most people of the country speak. */
export function searchRegion(location: JsonObject | undefined): string {
  const country = textOr(location?.country)
  if (!/^[A-Za-z]{2}$/.test(country)) return 'all'
  const { language } = new Intl.Locale('und', { region: country }).maximize()
  return /^[a-z]{2,3}$/.test(language) && language !== 'und' ? `${country.toLowerCase()}-${language}` : 'all'
}
