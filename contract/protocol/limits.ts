/**
 * Every length, size and time that server and web must agree on. Import as a namespace
 * (`import * as limits from '…/limits.ts'`): a page then contains only the constants it uses.
 */
export const pageSize = 25
export const commentsPageSize = 20
export const maxPageSize = 100
/** Lists count exactly up to here; past it they may answer an estimate. */
export const exactCountMax = 10_000

export const usernameMin = 3
export const usernameMax = 30
export const emailMax = 254
export const passwordMin = 8
export const passwordMax = 128
export const bioMax = 500
/** Bytes of a picture of oneself, as it is sent. */
export const avatarMax = 5 * 1024 * 1024

export const urlMax = 2048
/** Of a link as it is kept: normalising may have made it longer than what can be typed in. */
export const storedUrlMax = 4096
export const titleMax = 300
export const descriptionMax = 5000
export const tagMax = 50
export const tagsMax = 30
export const commentMax = 500
/** Line breaks in a comment: more would push what others say off the page. */
export const commentLineBreaksMax = 30
export const nameMax = 100
export const notesMax = 2000
export const searchMax = 200
export const suggestedTagsMax = 10
export const collectionsMax = 1000
export const channelsMax = 200
/** Collections that a profile names. */
export const profileCollectionsMax = 25
/** Bookmarks that one request changes. */
export const bulkMax = 500
/** Bookmarks that one request collects. */
export const collectAllMax = 2000
/** Bookmarks of the trash that one request removes for good. */
export const emptyTrashBatchMax = 5000
/** Days that the trash keeps. */
export const trashRetentionDays = 30
/** Shown as more like a bookmark. */
export const similarMax = 10
/** Shown of what is played one after the other, around what plays. */
export const playQueueBeforeMax = 5
export const playQueueAfterMax = 20
/** Seconds; a hundred days. */
export const durationMax = 8_640_000

/** Unread notifications, and people of one, are counted up to here. */
export const unreadMax = 100
/** Notifications are kept for so long. */
export const notificationRetentionDays = 90

/** One can appeal, and moderators restore, for so long. */
export const appealDays = 30
/** Characters of a rule of the block lists, as it is typed in; and how many rules there are. */
export const ruleMax = 200
export const rulesMax = 5000

/** A moderator looks at something alone for so long. */
export const claimSeconds = 10 * 60

export const accessTokenSeconds = 15 * 60
export const rememberedSessionSeconds = 7 * 24 * 60 * 60
export const shortSessionSeconds = 24 * 60 * 60
export const passwordResetSeconds = 60 * 60
export const emailChangeSeconds = 24 * 60 * 60
/** How long after showing who one is one may change how one signs in. */
export const reauthenticationSeconds = 15 * 60
/** Between the password and the second step; between asking for a passkey and using it. */
export const ticketSeconds = 10 * 60
export const ticketAttemptsMax = 5
/** A challenge at registration: so many keys are tried at most until it is solved, and half of that as a rule. */
export const challengeTriesMax = 1500
export const recoveryCodesCount = 10
export const passkeysMax = 20
export const accessTokensMax = 50
export const mutesMax = 500
export const accessTokenDaysMax = 366
/** Exports can be downloaded for so long. */
export const exportRetentionSeconds = 7 * 24 * 60 * 60
/** Bytes of a file to import: what is exported must come in again, also of somebody with 100,000 bookmarks. */
export const importMax = 128 * 1024 * 1024
export const nearExpirySeconds = 5 * 60
export const refreshCheckSeconds = 60 * 60
export const bookmarkCacheSeconds = 5 * 60
export const registrationCountdownSeconds = 5
export const savedBannerSeconds = 3
export const preloadedThumbnailsMax = 6
export const idempotencyRetentionSeconds = 24 * 60 * 60
