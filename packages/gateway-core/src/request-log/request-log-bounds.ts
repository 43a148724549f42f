import { BEYOND } from './redacted-text.ts'

/** The most entries of a page. */
export const MAX_LOGGED_PAGE = 200

/** The most characters of a text to search for. */
export const MAX_SEARCHED_TEXT = 256

/** The most attempts of an entry. */
export const MAX_LOGGED_ATTEMPTS = 50

/** The most characters of the message of an error. */
export const MAX_ERROR_MESSAGE = 500

/** The most characters of it until it is masked. */
export const MAX_UNMASKED_MESSAGE = MAX_ERROR_MESSAGE + BEYOND

/** The classes of statuses. */
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const

/** A class of statuses: `4xx` has those from 400 to 499. */
export type StatusClass = (typeof statusClasses)[number]
