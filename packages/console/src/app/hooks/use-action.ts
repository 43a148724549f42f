import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { errorMessage } from '../components/error-note.tsx'
import { useToasts } from '../components/toasts.tsx'

export interface ActionOptions<Input, Output> {
  /** The message after the action. @default none */
  readonly done?: string | ((output: Output, input: Input) => string)
  /** Whether the caller shows the error itself, as in a form. @default false: a toast shows the message of the server */
  readonly quiet?: boolean
}

/** An action of the user. `mutate` runs it, `isPending` is true meanwhile, and a toast shows the result. */
export function useAction<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  { done, quiet = false }: ActionOptions<Input, Output> = {},
): UseMutationResult<Output, Error, Input> {
  const toasts = useToasts()
  return useMutation({
    mutationFn: run,
    onSuccess: (output, input) => {
      if (done !== undefined) toasts.info(typeof done === 'string' ? done : done(output, input))
    },
    onError: (error) => {
      if (!quiet) toasts.error(errorMessage(error))
    },
  })
}
