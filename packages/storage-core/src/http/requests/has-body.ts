import { BodyTooLarge, type Exchange } from '@trivium/http-contract'

const decoder = new TextDecoder()

/** Whether a request carries more than white space or an empty object, which some clients send with a GET. */
export async function hasBody(exchange: Exchange): Promise<boolean> {
  const { headers } = exchange
  const length = headers['content-length']
  if ((length === undefined || length === '0') && headers['transfer-encoding'] === undefined) return false
  try {
    const body = await exchange.body(64)
    if (body.kind === 'none') return false
    if (body.kind === 'bytes') return !['', '{}'].includes(decoder.decode(body.bytes).trim())
    return body.value !== undefined && JSON.stringify(body.value) !== '{}'
  } catch (error) {
    if (error instanceof BodyTooLarge) return true
    throw error
  }
}
