import { useSession } from '../../session/session-context.ts'
import { View } from '../../shell/view.tsx'
import { ActivityFeed } from './activity-feed.tsx'
import { EmulationCard } from './emulation-card.tsx'
import { GatewayCard } from './gateway-card.tsx'
import { HostCard } from './host-card.tsx'
import { StorageCard } from './storage-card.tsx'
import './overview.css'

/** Shows the health of each service, where the state is stored, and the last activities. */
export default function OverviewView() {
  const { services } = useSession().host
  return (
    <View title="Overview">
      <div className="tiles">
        {services.gateway && <GatewayCard description={services.gateway.description} />}
        {services.emulation && <EmulationCard description={services.emulation.description} />}
        {services.storage && <StorageCard description={services.storage.description} />}
        <HostCard />
      </div>
      <ActivityFeed />
    </View>
  )
}
