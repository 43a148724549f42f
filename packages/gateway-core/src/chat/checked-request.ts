import type { ChatRequest } from './chat.ts'

/** A request that the HTTP interface has checked, as its access rules have its caller. The service checks neither again. */
export class CheckedRequest implements ChatRequest {
  readonly body: ChatRequest['body']
  readonly raw: ChatRequest['raw']

  constructor(body: ChatRequest['body'], raw: ChatRequest['raw']) {
    this.body = body
    this.raw = raw
  }
}
