import { useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { topicKey } from '../../../live/topic-key.ts'
import type { DiskImage, ReadyImage } from './use-disk-images.ts'

export interface ImageActionsProps {
  readonly image: DiskImage
  readonly onResize: (image: ReadyImage) => void
}

export function ImageActions({ image, onResize }: ImageActionsProps) {
  const { name, state } = image
  const emulation = useEmulation()
  const confirm = useConfirm()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: topicKey('emulation', 'disk-images') })
  const inspect = useAction(async () => {
    await expectOk(emulation.getDiskImage({ params: { name } }))
    await refresh()
  })
  const remove = useAction(async () => {
    const body = state === 'ready' ? 'Its file is deleted.' : 'What has arrived of it is deleted.'
    if (!(await confirm({ title: `Delete ${name}?`, body, action: 'Delete' }))) return
    await expectOk(emulation.deleteDiskImage({ params: { name } }))
    await refresh()
  })
  return (
    <div className="row tight">
      {image.state === 'ready' && (
        <>
          {image.format === null && (
            <Button onClick={() => inspect.mutate()} busy={inspect.isPending} aria-label={`Inspect ${name}`}>
              Inspect
            </Button>
          )}
          <Button onClick={() => onResize(image)} disabled={image.used_by.length > 0} aria-label={`Resize ${name}`}>
            Resize
          </Button>
        </>
      )}
      <Button kind="danger" onClick={() => remove.mutate()} busy={remove.isPending} aria-label={`Delete ${name}`}>
        Delete
      </Button>
    </div>
  )
}
