import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import { errorWords } from '../components/error-note.tsx'
import { useToasts } from '../components/toasts.tsx'

export interface ActionOptions<Input, Output> {
  /** Said when it is done. @default nothing */
  readonly done?: string | ((output: Output, input: Input) => string)
  /** The caller shows the error itself, as beside a form. @default false: a toast says it, in the server's words */
  readonly quiet?: boolean
}

/** Something that the user asks for: `mutate` runs it, `isPending` shows it, and its end is said. */
export function useAction<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  { done, quiet = false }: ActionOptions<Input, Output> = {},
): UseMutationResult<Output, Error, Input> {
  const toasts = useToasts()
  return useMutation({
    mutationFn: run,
    onSuccess: (output, input) => {
      if (done !== undefined) toasts.say(typeof done === 'string' ? done : done(output, input))
    },
    onError: (error) => {
      if (!quiet) toasts.complain(errorWords(error))
    },
  })
}
