/** What is wrong with a form: its structure, its bounds, its content type, or a field. */
export type FormErrorCode =
  | 'malformed_form'
  | 'form_too_large'
  | 'unsupported_content_type'
  | 'missing_required_parameter'
  | 'invalid_value'

interface FormErrorDetails {
  /** @default 'malformed_form' */
  readonly code?: FormErrorCode
  /** The field that is wrong. @default the form itself */
  readonly param?: string
}

/** A multipart body that is not valid or beyond its bounds. The message is for the client. */
export class MalformedForm extends Error {
  override readonly name = 'MalformedForm'
  readonly code: FormErrorCode
  /** The field that is wrong; `undefined` for the form itself. */
  readonly param: string | undefined

  constructor(message: string, { code = 'malformed_form', param }: FormErrorDetails = {}) {
    super(message)
    this.code = code
    this.param = param
  }
}
