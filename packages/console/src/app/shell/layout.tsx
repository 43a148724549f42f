import { Suspense } from 'react'
import { Link, Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { Button } from '../components/button.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { useLiveState } from '../live/live-context.tsx'
import { useSession } from '../session/session-context.ts'
import { ViewErrors } from './view-errors.tsx'
import { views } from './views.ts'
import './layout.css'

export function Layout() {
  return (
    <Router hook={useHashLocation}>
      <Frame />
    </Router>
  )
}

function Frame() {
  const { host, leave } = useSession()
  const [location] = useLocation()
  const servedViews = views.filter(({ service }) => service === undefined || host.services[service])
  const isCurrent = (path: string) => (path === '/' ? location === '/' : `${location}/`.startsWith(`${path}/`))
  return (
    <div className="layout">
      <button type="button" className="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header>
        <span className="brand">Trivium</span>
        <nav aria-label="Views">
          {servedViews.map(({ path, name }) => (
            <Link key={path} href={path} aria-current={isCurrent(path) ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <div className="row">
          <LiveMark />
          <Button onClick={() => leave()}>Log out</Button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <ViewErrors key={location.split('/')[1]}>
          <Suspense fallback={<p className="quiet">Loading…</p>}>
            <Switch>
              {servedViews.map(({ path, Component }) => (
                <Route key={path} path={path === '/' ? '/' : `${path}/*?`} component={Component} />
              ))}
              <Redirect to="/" />
            </Switch>
          </Suspense>
        </ViewErrors>
      </main>
    </div>
  )
}

const liveLabels = { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting' } as const

/** Shows whether changes by others appear without a reload. */
function LiveMark() {
  const { status } = useLiveState()
  return (
    <span role="status">
      <StatusMark tone={status === 'live' ? 'good' : 'warn'}>{liveLabels[status]}</StatusMark>
    </span>
  )
}
