import { Redirect, Route, Switch } from 'wouter'
import { SubNavigation } from '../../components/sub-navigation.tsx'
import { View } from '../../shell/view.tsx'
import './gateway.css'
import { ImagesPage } from './images/images-page.tsx'
import { KeysPage } from './keys/keys-page.tsx'
import { ModelsPage } from './models/models-page.tsx'
import { PlaygroundPage } from './playground/playground-page.tsx'
import { SearchPage } from './search/search-page.tsx'
import { UsagePage } from './usage/usage-page.tsx'

const pages = [
  { path: '/gateway', name: 'Playground', Component: PlaygroundPage },
  { path: '/gateway/images', name: 'Images', Component: ImagesPage },
  { path: '/gateway/keys', name: 'API keys', Component: KeysPage },
  { path: '/gateway/usage', name: 'Usage', Component: UsagePage },
  { path: '/gateway/search', name: 'Search', Component: SearchPage },
  { path: '/gateway/models', name: 'Models', Component: ModelsPage },
]

/** Shows the models and a playground for them, the API keys, and the usage. */
export default function GatewayView() {
  return (
    <View title="Gateway">
      <SubNavigation label="Gateway" pages={pages} />
      <Switch>
        {pages.map(({ path, Component }) => (
          <Route key={path} path={path} component={Component} />
        ))}
        <Redirect to="/gateway" />
      </Switch>
    </View>
  )
}
