import { EmptyState } from '../../../components/empty-state.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { useVolumes } from '../use-volumes.ts'
import { HistorySection } from './history-section.tsx'
import { QtreesSection } from './qtrees-section.tsx'
import { ReportsSection } from './reports-section.tsx'
import { VolumeCard } from './volume-card.tsx'

export function VolumesPage() {
  const volumes = useVolumes()
  return (
    <>
      <Loaded query={volumes}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="No volumes">
              Volumes come from the host. Name one in its settings, as <code>TRIVIUM_VOLUMES=vol1=simulated</code>.
            </EmptyState>
          ) : (
            <div className="tiles">
              {all.map((volume) => (
                <VolumeCard key={volume.uuid} volume={volume} />
              ))}
            </div>
          )
        }
      </Loaded>
      <ReportsSection />
      <HistorySection />
      <QtreesSection />
    </>
  )
}
