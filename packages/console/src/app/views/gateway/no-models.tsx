import { EmptyState } from '../../components/empty-state.tsx'

/** Shown instead of models, with how to get some. */
export const NoModels = ({ title }: { readonly title: string }) => (
  <EmptyState title={title}>
    Models come from upstreams. Name one in the settings of the host, as <code>OPENAI_BASE_URL</code> with{' '}
    <code>OPENAI_API_KEY</code>.
  </EmptyState>
)
