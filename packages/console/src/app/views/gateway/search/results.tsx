import type { ReactNode } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import type { SearchAnswer } from './run-search.ts'

/** Shows search results as text. Images of other origins are linked, not loaded. */
export function Results({ answer }: { readonly answer: SearchAnswer }) {
  const items = itemsOf(answer)
  if (items.length === 0) return <EmptyState title="No results">Try another query or another engine.</EmptyState>
  return (
    <>
      <p role="status" className="quiet">
        {items.length} from {answer.engine}
      </p>
      <ol className="gateway-results">
        {items.map(({ title, address, summary }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer does not change.
          <li key={index}>
            <h3>{address === undefined ? title : <ExternalLink address={address}>{title}</ExternalLink>}</h3>
            {summary !== '' && <p>{summary}</p>}
            {address !== undefined && <p className="quiet">{address}</p>}
          </li>
        ))}
      </ol>
    </>
  )
}

interface Item {
  readonly title: string
  readonly address?: string
  readonly summary: string
}

function itemsOf(answer: SearchAnswer): readonly Item[] {
  switch (answer.type) {
    case 'text':
      return answer.results.map(({ title, href, body }) => ({ title, address: href, summary: body }))
    case 'news':
      return answer.results.map(({ title, url, body, source, date }) => ({
        title,
        address: url,
        summary: [source, date, body].filter(Boolean).join(' · '),
      }))
    case 'images':
      return answer.results.map(({ title, image, source, width, height }) => ({
        title,
        address: image,
        summary: [source, width && height && `${width} × ${height}`].filter(Boolean).join(' · '),
      }))
    case 'suggestions':
      return answer.results.map(({ phrase }) => ({ title: phrase, summary: '' }))
  }
}

/** Links only HTTP and HTTPS addresses, because an engine can return any text. */
const ExternalLink = ({ address, children }: { readonly address: string; readonly children: ReactNode }) =>
  /^https?:\/\//i.test(address) ? (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    children
  )
