import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import './theme.css'

const place = document.getElementById('console')
if (!place) throw new Error('The page has no element "console"')
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
