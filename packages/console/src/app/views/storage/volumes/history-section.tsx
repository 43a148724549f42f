import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useMemo, useState } from 'react'
import { Chart } from '../../../components/chart.tsx'
import { SelectField } from '../../../components/field.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { type StorageClient, useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { Section } from '../../../shell/view.tsx'
import { targetName } from '../target-name.ts'
import { useVolumes } from '../use-volumes.ts'
import { useReports } from './use-reports.ts'

const intervals = [
  { value: '1h', label: 'Last hour' },
  { value: '1d', label: 'Last day' },
  { value: '1w', label: 'Last 7 days' },
  { value: '1m', label: 'Last 31 days' },
  { value: '1y', label: 'Last 365 days' },
]

const REFRESH_MS = 60_000
const MIB = 2 ** 20
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' })
const formatTime = (time: number): string => times.format(time)

/** `UUID` of a volume, or `UUID/INDEX` of a report. */
async function readHistory(storage: StorageClient, subject: string, interval: string, signal: AbortSignal) {
  const [uuid = '', index] = subject.split('/')
  const query = { interval, fields: 'space' }
  const request =
    index === undefined
      ? storage.listVolumeMetrics({ params: { uuid }, query, signal })
      : storage.listQuotaReportMetrics({ params: { volume_uuid: uuid, index }, query, signal })
  return (await expectOk(request)).records ?? []
}

type Points = Awaited<ReturnType<typeof readHistory>>

/** Shows the used space of a volume or of a quota target over time. */
export function HistorySection() {
  const storage = useStorage()
  const volumes = useVolumes()
  const reports = useReports()
  const [chosen, setChosen] = useState('')
  const [interval, setInterval] = useState('1d')
  const subjects = [
    ...(volumes.data ?? []).map(({ uuid = '', name = '' }) => ({ value: uuid, label: name })),
    ...(reports.data ?? []).map((report) => ({
      value: `${report.volume?.uuid}/${report.index}`,
      label: `${targetName(report)} on ${report.volume?.name}`,
    })),
  ]
  const subject = subjects.find(({ value }) => value === chosen) ?? subjects[0]
  const history = useQuery({
    queryKey: topicKey('storage', 'reports', 'history', subject?.value, interval),
    queryFn: ({ signal }) => readHistory(storage, subject?.value ?? '', interval, signal),
    enabled: subject !== undefined,
    refetchInterval: REFRESH_MS,
  })
  if (!subject) return null
  return (
    <Section title="Use over time">
      <div className="storage-form">
        <SelectField label="Shown" value={subject.value} onChange={setChosen} options={subjects} />
        <SelectField label="Period" value={interval} onChange={setInterval} options={intervals} />
      </div>
      <Loaded query={history}>{(points) => <Figure title={`Space of ${subject.label}`} points={points} />}</Loaded>
    </Section>
  )
}

function Figure({ title, points }: { readonly title: string; readonly points: Points }) {
  const drawn = useMemo(
    () => ({
      times: points.map(({ timestamp = '' }) => Date.parse(timestamp)),
      series: [
        { label: 'Used, MiB', values: points.map(({ space }) => inMiB(space?.used)) },
        { label: 'Peak, MiB', values: points.map(({ space }) => inMiB(space?.used_peak)) },
      ],
    }),
    [points],
  )
  if (points.length === 0) return <p className="quiet">No sample was recorded in this period.</p>
  return <Chart title={title} shape="line" formatTime={formatTime} {...drawn} />
}

const inMiB = (bytes: number | undefined): number | null =>
  bytes === undefined ? null : Math.round((bytes / MIB) * 10) / 10
