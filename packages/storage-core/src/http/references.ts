import type { Svm } from '../svms/svm.ts'
import type { VolumeReference } from '../volumes/volume.ts'
import { selfLink } from './collections/answers.ts'

/** Returns an SVM as the reference in other records, with its link on request. */
export const svmToWire = ({ uuid, name }: Svm, links: boolean) => ({
  uuid,
  name,
  ...(links && { _links: selfLink(`/api/svm/svms/${uuid}`) }),
})

export const volumeReference = ({ uuid, name }: VolumeReference, links: boolean) => ({
  uuid,
  name,
  ...(links && { _links: selfLink(`/api/storage/volumes/${uuid}`) }),
})

export const qtreeReference = (volume: string, name: string, id: number | undefined, links: boolean) => ({
  name,
  ...(id !== undefined && { id }),
  ...(links && id !== undefined && { _links: selfLink(`/api/storage/qtrees/${volume}/${id}`) }),
})
