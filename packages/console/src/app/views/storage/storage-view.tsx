import { Redirect, Route, Switch } from 'wouter'
import { SubNavigation } from '../../components/sub-navigation.tsx'
import { View } from '../../shell/view.tsx'
import { ClonesPage } from './clones/clones-page.tsx'
import { RulesPage } from './rules/rules-page.tsx'
import './storage.css'
import { VolumesPage } from './volumes/volumes-page.tsx'
import { WebhooksPage } from './webhooks/webhooks-page.tsx'

const pages = [
  { path: '/storage', name: 'Volumes', Component: VolumesPage },
  { path: '/storage/rules', name: 'Quota rules', Component: RulesPage },
  { path: '/storage/clones', name: 'Clones', Component: ClonesPage },
  { path: '/storage/webhooks', name: 'Webhooks', Component: WebhooksPage },
]

/** Shows volumes with their usage, quota rules, clones with their splits, and webhooks. */
export default function StorageView() {
  return (
    <View title="Storage">
      <SubNavigation label="Storage" pages={pages} />
      <Switch>
        {pages.map(({ path, Component }) => (
          <Route key={path} path={path} component={Component} />
        ))}
        <Redirect to="/storage" />
      </Switch>
    </View>
  )
}
