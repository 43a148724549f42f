import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoint-descriptions.ts'

/** Answers up to this size are parsed. In larger ones, the members that hold images are counted. */
const MAX_PARSED_BYTES = 2 ** 20

const decoder = new TextDecoder()

/** The members of a large answer that hold an image. */
const IMAGE = /"(?:b64_json|url)"\s*:\s*"/g

/** Counts the images of a whole answer; 0 for other endpoints. */
export function imagesIn(endpoint: Endpoint, bytes: Uint8Array): number {
  if (endpoints[endpoint].operation !== 'image') return 0
  if (bytes.length > MAX_PARSED_BYTES) return decoder.decode(bytes).match(IMAGE)?.length ?? 0
  const answer = parseJson(decoder.decode(bytes))
  return isObject(answer) && Array.isArray(answer.data) ? answer.data.length : 0
}
