import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { formatBytes } from '../../../components/format.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { Section, View } from '../../../shell/view.tsx'
import { EmulationPages } from '../emulation-pages.tsx'
import { ImageActions } from './image-actions.tsx'
import { NewDiskDialog } from './new-disk-dialog.tsx'
import { ResizeDiskDialog } from './resize-disk-dialog.tsx'
import { UploadSection } from './upload-section.tsx'
import { type DiskImage, type ReadyImage, useDiskImages } from './use-disk-images.ts'

export function DiskImagesPage() {
  const images = useDiskImages()
  const [isCreating, setIsCreating] = useState(false)
  const [resized, setResized] = useState<ReadyImage>()
  return (
    <View
      title="Emulation"
      actions={
        <Button kind="primary" onClick={() => setIsCreating(true)}>
          New disk
        </Button>
      }
    >
      <EmulationPages />
      <Section title="Disk images">
        <Loaded query={images}>
          {(found) => (
            <Table
              caption="All disk images"
              rows={found}
              rowKey={({ name }) => name}
              empty={
                <EmptyState title="No disk images yet">
                  Machines start from images. Upload one, or create an empty disk.
                </EmptyState>
              }
              columns={[
                { header: 'Image', isName: true, cell: ({ name }) => name },
                { header: 'Format', cell: formatOf },
                { header: 'Disk', align: 'end', cell: diskOf },
                { header: 'File', align: 'end', cell: fileOf },
                { header: 'SHA-256', cell: (image) => <Checksum image={image} /> },
                { header: 'Used by', cell: usersOf },
                { header: 'Actions', cell: (image) => <ImageActions image={image} onResize={setResized} /> },
              ]}
            />
          )}
        </Loaded>
      </Section>
      <UploadSection />
      {isCreating && <NewDiskDialog onClose={() => setIsCreating(false)} />}
      {resized && <ResizeDiskDialog image={resized} onClose={() => setResized(undefined)} />}
    </View>
  )
}

const formatOf = (image: DiskImage) =>
  image.state === 'ready' ? (image.format ?? 'not read yet') : 'unfinished upload'

const diskOf = (image: DiskImage) =>
  image.state === 'ready' && image.virtual_bytes !== null ? formatBytes(image.virtual_bytes) : ''

const fileOf = (image: DiskImage) =>
  image.state === 'ready'
    ? formatBytes(image.bytes)
    : `${formatBytes(image.received_bytes)} of ${formatBytes(image.total_bytes)}`

const usersOf = (image: DiskImage) => (image.state === 'ready' ? image.used_by.map(({ name }) => name).join(', ') : '')

function Checksum({ image }: { readonly image: DiskImage }) {
  if (image.state !== 'ready' || image.sha256 === null) return null
  return (
    <div className="row tight">
      <code title={`SHA-256 ${image.sha256}, MD5 ${image.md5 ?? 'not computed'}`}>{image.sha256.slice(0, 12)}…</code>
      <CopyButton text={image.sha256} what={`the SHA-256 of ${image.name}`} />
    </div>
  )
}
