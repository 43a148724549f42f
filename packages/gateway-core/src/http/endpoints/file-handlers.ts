import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { bytesAnswer, wholeAnswer } from './endpoint-answer.ts'
import { sendEndpoint } from './send-endpoint.ts'
import { storedRequest } from './stored-request.ts'

type FileHandlers = GatewayHandlers<'listFiles' | 'getFile' | 'getFileContent' | 'deleteFile'>

const ENDPOINT = 'files'

export const fileHandlers = (parts: HandlerParts): FileHandlers => ({
  listFiles: (call) =>
    sendEndpoint(parts, call, storedRequest(call, { endpoint: ENDPOINT, method: 'GET' }), wholeAnswer),
  getFile: (call) => {
    const suffix = `/${call.params.file_id}`
    return sendEndpoint(parts, call, storedRequest(call, { endpoint: ENDPOINT, method: 'GET', suffix }), wholeAnswer)
  },
  getFileContent: (call) => {
    const suffix = `/${call.params.file_id}/content`
    const request = { endpoint: ENDPOINT, method: 'GET', suffix, accept: '*/*', streamed: true } as const
    return sendEndpoint(parts, call, storedRequest(call, request), bytesAnswer)
  },
  deleteFile: (call) => {
    const suffix = `/${call.params.file_id}`
    return sendEndpoint(parts, call, storedRequest(call, { endpoint: ENDPOINT, method: 'DELETE', suffix }), wholeAnswer)
  },
})
