import { EmptyState } from '../../../components/empty-state.tsx'
import { formatBytes, formatNumber } from '../../../components/format.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Meter } from '../../../components/meter.tsx'
import { Table } from '../../../components/table.tsx'
import { Section } from '../../../shell/view.tsx'
import { targetName } from '../target-name.ts'
import { type Report, useReports } from './use-reports.ts'

/** Shows the usage of enforced limits, the fullest first. */
export function ReportsSection() {
  const reports = useReports()
  return (
    <Section title="Usage against limits">
      <Loaded query={reports}>
        {(all) => (
          <Table
            caption="Reports"
            rows={all}
            rowKey={({ volume, index }) => `${volume?.uuid}/${index}`}
            empty={
              <EmptyState title="No limits are enforced">
                Create a quota rule, then turn on the quotas of its volume. The usage of each target is shown here.
              </EmptyState>
            }
            columns={[
              { header: 'Target', isName: true, cell: targetName },
              { header: 'Volume', cell: ({ volume }) => volume?.name },
              { header: 'Space', cell: (report) => <SpaceUse report={report} /> },
              { header: 'Files', cell: (report) => <FilesUse report={report} /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function SpaceUse({ report }: { readonly report: Report }) {
  const { used, hard_limit: hard } = report.space ?? {}
  const total = used?.total ?? 0
  return (
    <div className="storage-usage">
      <Meter
        label={`Space of ${targetName(report)}`}
        value={total}
        max={hard === undefined ? undefined : Number(hard)}
        text={hard === undefined ? `${formatBytes(total)}, no limit` : `${formatBytes(total)} of ${formatBytes(hard)}`}
      />
    </div>
  )
}

function FilesUse({ report: { files } }: { readonly report: Report }) {
  const total = formatNumber(files?.used?.total ?? 0)
  return files?.hard_limit === undefined ? total : `${total} of ${formatNumber(files.hard_limit)}`
}
