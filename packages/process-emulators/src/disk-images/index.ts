export type { DirectoryDiskImagesOptions } from './directory-disk-images.ts'
export { directoryDiskImages } from './directory-disk-images.ts'
