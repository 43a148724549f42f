import { BodyTooLarge, type Upload } from '@trivium/http-contract'
import type { GatewayCall } from '../../caller.ts'
import type { Endpoint } from '../../endpoints/endpoint.ts'
import { isMultipart } from '../../endpoints/multipart/boundary.ts'
import { type PassedUpload, passUpload } from '../../endpoints/multipart/upload-form.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { bytesAnswer, wholeAnswer } from './endpoint-answer.ts'
import { formAbsent, formFailure, type OpenedUpload, openUpload, uploadRefusal } from './open-upload.ts'
import { sendEndpoint } from './send-endpoint.ts'
import { storedRequest } from './stored-request.ts'

type UploadHandlers = GatewayHandlers<
  'createTranscription' | 'createTranslation' | 'editImage' | 'createImageVariation' | 'uploadFile'
>

type UploadCall = GatewayCall & { readonly upload: Upload; readonly query: { readonly model?: string } }

export function uploadHandlers(parts: HandlerParts): UploadHandlers {
  const relay = async (call: UploadCall, endpoint: Endpoint) => {
    let opened: OpenedUpload
    try {
      opened = await openUpload(call.upload, call.query.model, endpoint === 'image-edits')
    } catch (error) {
      const refusal = uploadRefusal(error)
      if (refusal) return refusal
      throw error
    }
    const { failure: _, ...request } = opened
    const answer = await sendEndpoint(parts, call, { endpoint, accept: '*/*', ...request }, bytesAnswer)
    return checked(answer, opened)
  }
  return {
    createTranscription: (call) => relay(call, 'transcriptions'),
    createTranslation: (call) => relay(call, 'translations'),
    editImage: (call) => relay(call, 'image-edits'),
    createImageVariation: (call) => relay(call, 'image-variations'),
    uploadFile: async (call) => {
      const { contentType, chunks } = call.upload
      if (!isMultipart(contentType)) return formFailure(formAbsent(false))
      const passed = passUpload(chunks, contentType)
      const request = storedRequest(call, {
        endpoint: 'files',
        method: 'POST',
        body: () => passed.body(undefined),
        isRepeatable: () => passed.isRepeatable(),
      })
      return checked(await sendEndpoint(parts, call, request, wholeAnswer), passed)
    },
  }
}

/** @throws BodyTooLarge where the upload exceeded its limit while the upstream read it */
function checked<Answer extends { readonly status: number }>(
  answer: Answer,
  { failure: reason }: Pick<PassedUpload, 'failure'>,
): Answer {
  if (answer.status !== 200 && reason instanceof BodyTooLarge) throw reason
  return answer
}
