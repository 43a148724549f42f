import type { Svm } from '../svms/svm.ts'
import type { VolumeReference } from '../volumes/volume.ts'
import type { LinkTo } from './links-from.ts'

/** Returns an SVM as the reference in other records, with its link on request. */
export const svmToWire = ({ uuid, name }: Svm, links: LinkTo | undefined) => ({
  uuid,
  name,
  ...(links && { _links: links(`/api/svm/svms/${uuid}`) }),
})

export const volumeReference = ({ uuid, name }: VolumeReference, links: LinkTo | undefined) => ({
  uuid,
  name,
  ...(links && { _links: links(`/api/storage/volumes/${uuid}`) }),
})

export const qtreeReference = (volume: string, name: string, id: number | undefined, links: LinkTo | undefined) => ({
  name,
  ...(id !== undefined && { id }),
  ...(links && id !== undefined && { _links: links(`/api/storage/qtrees/${volume}/${id}`) }),
})
