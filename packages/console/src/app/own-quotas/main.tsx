import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryDefaults } from '../shell/query-defaults.ts'
import { OwnQuotasPage } from './own-quotas-page.tsx'
import '../theme.css'

const place = document.getElementById('quotas')
if (!place) throw new Error('The page has no element "quotas"')
const queries = new QueryClient({ defaultOptions: queryDefaults })
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <OwnQuotasPage />
    </QueryClientProvider>
  </StrictMode>,
)
