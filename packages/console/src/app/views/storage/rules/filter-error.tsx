import { RefusalError } from '@trivium/http-client'
import { ErrorNote, errorMessage } from '../../../components/error-note.tsx'
import { markField } from './read-filter.ts'

/** Shows why the server refused a filter, and marks the wrong condition. */
export function FilterError({ filter, error }: { readonly filter: string; readonly error: Error }) {
  const { before, wrong, after } = markField(filter, fieldOf(error))
  return (
    <ErrorNote>
      <p>{errorMessage(error)}</p>
      {wrong !== '' && (
        <p className="storage-mistake">
          <code>
            {before}
            <mark>{wrong}</mark>
            {after}
          </code>
        </p>
      )}
    </ErrorNote>
  )
}

/** Returns the field that the server names: as the target, or in quotes in its message. */
function fieldOf(error: Error): string {
  if (!(error instanceof RefusalError)) return ''
  return targetOf(error.body) ?? /"([^"]+)"/.exec(error.message)?.[1] ?? ''
}

function targetOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if ('target' in body && typeof body.target === 'string') return body.target
  return 'error' in body ? targetOf(body.error) : undefined
}
