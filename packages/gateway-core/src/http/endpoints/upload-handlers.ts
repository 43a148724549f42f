import { BodyTooLarge, type Upload } from '@trivium/http-contract'
import { err, ok, type Result } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import type { Endpoint } from '../../endpoints/endpoint.ts'
import { isMultipart } from '../../endpoints/multipart/boundary.ts'
import { type PassedUpload, passUpload } from '../../endpoints/multipart/upload-form.ts'
import type { Failure } from '../errors/failure.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { bytesAnswer, wholeAnswer } from './endpoint-answer.ts'
import { formAbsent, formFailure, openUpload, uploadRefusal } from './open-upload.ts'
import { sendEndpoint } from './send-endpoint.ts'
import { storedRequest } from './stored-request.ts'

type UploadHandlers = GatewayHandlers<
  'createTranscription' | 'createTranslation' | 'editImage' | 'createImageVariation' | 'uploadFile'
>

type UploadCall = GatewayCall & { readonly upload: Upload; readonly query: { readonly model?: string } }

export function uploadHandlers(parts: HandlerParts): UploadHandlers {
  const relay = async (call: UploadCall, endpoint: Endpoint) => {
    const opened = await readable(() => openUpload(call.upload, call.query.model, endpoint === 'image-edits'))
    if (opened.isErr()) return opened.error
    const { failure: _, ...request } = opened.value
    const answer = await sendEndpoint(parts, call, { endpoint, accept: '*/*', ...request }, bytesAnswer)
    return checked(answer, opened.value)
  }
  return {
    createTranscription: (call) => relay(call, 'transcriptions'),
    createTranslation: (call) => relay(call, 'translations'),
    editImage: (call) => relay(call, 'image-edits'),
    createImageVariation: (call) => relay(call, 'image-variations'),
    uploadFile: async (call) => {
      const { contentType, chunks } = call.upload
      if (!isMultipart(contentType)) return formFailure(formAbsent(false))
      const opened = await readable(() => passUpload(chunks, contentType))
      if (opened.isErr()) return opened.error
      const passed = opened.value
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

/** Returns what `open` returns, or the response to an upload that cannot be read. */
async function readable<Opened>(open: () => Opened | Promise<Opened>): Promise<Result<Opened, Failure>> {
  try {
    return ok(await open())
  } catch (error) {
    const refusal = uploadRefusal(error)
    if (refusal) return err(refusal)
    throw error
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
