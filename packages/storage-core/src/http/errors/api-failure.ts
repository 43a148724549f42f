/** One refused request, as ONTAP words it. */
export interface ApiFailure {
  readonly status: FailureStatus
  /** Decimal, as ONTAP documents it. */
  readonly code: number
  readonly message: string
  /** The field that it is about, by its dotted name. */
  readonly target?: string
}

export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 500 | 503

export interface FailureBody {
  readonly error: { readonly message: string; readonly code: string; readonly target?: string }
}

export const failureBody = ({ code, message, target }: Omit<ApiFailure, 'status'>): FailureBody => ({
  error: { message, code: String(code), ...(target !== undefined && { target }) },
})
