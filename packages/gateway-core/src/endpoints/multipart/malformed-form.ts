/** A multipart body that is not valid or beyond its bounds. The message is for the client. */
export class MalformedForm extends Error {
  override readonly name = 'MalformedForm'
  /** The field that is wrong; `undefined` for the form itself. */
  readonly param: string | undefined

  constructor(message: string, param?: string) {
    super(message)
    this.param = param
  }
}
