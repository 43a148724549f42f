import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoint-descriptions.ts'

const decoder = new TextDecoder()

/** Counts the images of a whole answer; 0 for other endpoints. */
export function imagesIn(endpoint: Endpoint, bytes: Uint8Array): number {
  if (endpoints[endpoint].operation !== 'image') return 0
  const answer = parseJson(decoder.decode(bytes))
  return isObject(answer) && Array.isArray(answer.data) ? answer.data.length : 0
}
