/**
 * The directory inside that of images with unfinished uploads and what is known of images. No path of a client leads into
 * it.
 */
export const HIDDEN_DIRECTORY = '.disk-images'
